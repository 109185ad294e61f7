/** Parameters of the viewer that say what is looked for; the others say how it is shown. */
const WORDS: Readonly<Record<string, string>> = {
  q: 'text',
  level: 'level',
  without: 'without',
  field: 'field',
  without_field: 'without field',
  from: 'from',
  to: 'to',
  sources: 'sources',
};

/** What a saved search looks for, in a few words. */
export function searchWords(query: string): string {
  const parts = [...new URLSearchParams(query)]
    .filter(([name, value]) => name in WORDS && value !== '')
    .map(([name, value]) => {
      // How long ago it begins: counted from when the search is opened.
      if (name === 'from' && /^\d+[smhd]$/.test(value)) return `last ${value}`;
      return `${WORDS[name] ?? name} ${value}`;
    });
  return parts.length > 0 ? parts.join(', ') : 'Everything';
}

/** The query as the router takes it; a parameter that is given several times is a list. */
export function searchParams(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}
