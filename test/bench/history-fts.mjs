export async function compareWithFts() {
  return [];
}
