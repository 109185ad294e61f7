import ts from 'typescript';

/** Names of what `catch` or a listener received, and of Slipway's own results of jobs and details of errors. */
const OWN = /^(error|cause|thrown|reason|result|details)$/;
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);
/** Events with data of another program. Others, such as `close`, have none. */
const DATA_EVENTS = new Set(['data', 'message', 'line', 'readable', 'response', 'upgrade']);
/** Methods of Node that do not throw. */
const SAFE = new Set([
  'abort',
  'close',
  'destroy',
  'terminate',
  'uncork',
  'unref',
  'resume',
  'kill',
  'schedule',
  'clearTimeout',
]);

/**
 * Foreign data is unknown until a reader has read it: an assertion would only claim a type. So would a variable with
 * optional fields, to which TypeScript assigns any record.
 */
const noForeignCast = {
  meta: {
    type: 'problem',
    docs: {
      description: 'Values without a known type are read with core/parsing, never asserted to have one',
    },
    messages: { cast: 'Read the value with core/parsing: this only claims that it is {{type}}.' },
    schema: [],
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    if (!services.program) return {};
    const checker = services.program.getTypeChecker();
    const isAny = (type) => (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
    const isJson = (type) =>
      ['Json', 'JsonObject'].includes(type.aliasSymbol?.name ?? type.symbol?.name ?? '');
    const isUnread = (type) =>
      isAny(type) ||
      isJson(type) ||
      isAny(type.getStringIndexType() ?? type.getNumberIndexType() ?? checker.getStringType()) ||
      (type.isUnion() && type.types.some((one) => isJson(one) || isUnreadPart(one)));
    // `undefined | Record<string, unknown>`
    const isUnreadPart = (type) => isAny(type.getStringIndexType() ?? checker.getStringType());
    const report = (node, target) =>
      context.report({ node, messageId: 'cast', data: { type: context.sourceCode.getText(target) } });
    return {
      TSAsExpression(node) {
        const { expression, typeAnnotation } = node;
        if (
          typeAnnotation.type === 'TSUnknownKeyword' ||
          context.sourceCode.getText(typeAnnotation) === 'const'
        )
          return;
        if (isOwn(expression)) return;
        // The type of `unknown ?? {}` is `{}`.
        const value = expression.type === 'LogicalExpression' ? expression.left : expression;
        if (isUnread(services.getTypeAtLocation(value))) report(node, typeAnnotation);
      },
      VariableDeclarator({ id, init }) {
        const annotation = id.typeAnnotation?.typeAnnotation;
        if (!annotation || !init || init.type === 'ObjectExpression') return;
        const index = services.getTypeAtLocation(init).getStringIndexType();
        const declared = services.getTypeAtLocation(id);
        if (index && isAny(index) && !declared.getStringIndexType() && !isAny(declared))
          report(init, annotation);
      },
    };
  },
};

function isOwn(node) {
  switch (node.type) {
    case 'LogicalExpression':
      return isOwn(node.left);
    case 'ChainExpression':
      return isOwn(node.expression);
    case 'MemberExpression':
      return node.computed ? isOwn(node.object) : OWN.test(node.property.name);
    default:
      return node.type === 'Identifier' && OWN.test(node.name);
  }
}

/** An exception in such a callback has no caller, so that it would end the process. */
const guardedCallbacks = {
  meta: {
    type: 'problem',
    docs: { description: 'Callbacks of timers and streams are guarded: their owner fails, not the process' },
    messages: { guard: 'Use guarded(callback, onFailure) of core/errors.' },
    schema: [],
  },
  create(context) {
    return {
      CallExpression(node) {
        const callback = callbackOf(node);
        if (callback && !isHarmless(callback)) context.report({ node: callback, messageId: 'guard' });
      },
    };

    function callbackOf({ callee, arguments: [first, second] }) {
      if (callee.type === 'Identifier' && TIMERS.has(callee.name)) return first;
      const isListener = callee.type === 'MemberExpression' && ['on', 'once'].includes(callee.property.name);
      return isListener && first?.type === 'Literal' && DATA_EVENTS.has(first.value) ? second : undefined;
    }

    /** A guarded callback, also in a constant; `resolve` of a promise; a single call of a method that does not throw. */
    function isHarmless(node) {
      switch (node.type) {
        case 'CallExpression':
          return node.callee.name === 'guarded';
        case 'Identifier': {
          const [definition] =
            context.sourceCode.getScope(node).references.find(({ identifier }) => identifier === node)
              ?.resolved?.defs ?? [];
          if (/^(resolve|reject)$/.test(node.name)) return true;
          const init = definition?.node?.init;
          return init ? isHarmless(init) : false;
        }
        case 'ArrowFunctionExpression':
          return isSafeCall(node.body);
        default:
          return false;
      }
    }
  },
};

function isSafeCall(body) {
  if (body.type === 'ChainExpression') return isSafeCall(body.expression);
  if (body.type === 'BlockStatement')
    return body.body.every(({ expression }) => expression && isSafeCall(expression));
  if (body.type === 'Identifier') return true;
  if (body.type === 'UnaryExpression' && body.operator === 'void') return isSafeCall(body.argument);
  const name = body.type === 'CallExpression' ? (body.callee.property?.name ?? body.callee.name) : undefined;
  return name !== undefined && (SAFE.has(name) || name === 'resolve');
}

export default { rules: { 'no-foreign-cast': noForeignCast, 'guarded-callbacks': guardedCallbacks } };
