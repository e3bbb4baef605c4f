import { type Node, Visitor, parseSync } from 'oxc-parser'

/** A change of a source text from `start` to `end`. */
export interface Mutant {
  kind: string
  start: number
  end: number
  text: string
}

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
}

/** Methods and the ones that are easily taken for them: the first for the last, the least for the greatest, some for all. */
const methods: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}

const inSql: readonly (readonly [RegExp, string])[] = [
  [/(?<= )< /g, '<= '],
  [/(?<= )<= /g, '< '],
  [/(?<= )> /g, '>= '],
  [/(?<= )>= /g, '> '],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/\bdesc\b/g, 'asc'],
  [/\band (?=\w+ (?:=|<|>|is|in|not))/g, 'or '],
  [/\bunion all\b/g, 'except all'],
  [/\bcoalesce\((\w+), (\w+)\)/g, 'coalesce($2, $1)'],
]

/**
 * Every single change of these kinds: comparisons and logical operators, negations, conditions, first and last, least and greatest,
 * an argument or a call left out, limits that differ by one, and the same within SQL.
 */
export function mutantsOf(path: string, source: string): Mutant[] {
  const found: Mutant[] = []
  const replace = (kind: string, { start, end }: { start: number; end: number }, text: string) =>
    void found.push({ kind, start, end, text })
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  const operator = (node: { left: Node; right: Node; operator: string; start: number; end: number }) => {
    const other = operators[node.operator]
    const start = node.left.end + source.slice(node.left.end, node.right.start).indexOf(node.operator)
    if (other !== undefined)
      replace(`${node.operator} → ${other}`, { start, end: start + node.operator.length }, other)
  }
  new Visitor({
    BinaryExpression: (node) => void (isText(node.left) || isText(node.right) || operator(node)),
    LogicalExpression: operator,
    UnaryExpression(node) {
      if (node.operator === '!') replace('no !', node, textOf(node.argument))
    },
    ConditionalExpression(node) {
      replace('always the first branch', node, `(${textOf(node.consequent)})`)
      replace('always the second branch', node, `(${textOf(node.alternate)})`)
    },
    IfStatement(node) {
      replace('never', node.test, 'false')
      if (node.alternate === null) replace('always', node.test, 'true')
    },
    CallExpression(node) {
      const [callee, last] = [node.callee, node.arguments.at(-1)]
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
        const { name } = callee.property
        const other = methods[name]
        if (other !== undefined) replace(`${name} → ${other}`, callee.property, other)
        if (name === 'at' && last !== undefined && textOf(last) === '-1')
          replace('the first, not the last', last, '0')
        if (name === 'at' && last !== undefined && textOf(last) === '0')
          replace('the last, not the first', last, '-1')
        if (name === 'filter' || name === 'toSorted')
          replace(
            `no ${name}`,
            { start: callee.object.end, end: node.end },
            name === 'filter' ? '' : '.slice()',
          )
      }
      const before = node.arguments.at(-2)
      if (last !== undefined && before !== undefined)
        replace('the last argument left out', { start: before.end, end: last.end }, '')
    },
    ExpressionStatement(node) {
      const { expression } = node
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (call.type === 'CallExpression') replace('a call left out', node, ';')
    },
    ReturnStatement(node) {
      const value = node.argument === null ? '' : textOf(node.argument)
      if (value === 'true' || value === 'false')
        replace('the opposite', node, `return ${String(value !== 'true')}`)
    },
    Literal(node) {
      if (typeof node.value === 'number' && node.value > 1) replace('one more', node, String(node.value + 1))
    },
    SpreadElement(node) {
      if (node.argument.type === 'ConditionalExpression' || node.argument.type === 'LogicalExpression')
        replace('members left out', node, '...{}')
    },
    TemplateElement(node) {
      const text = textOf(node)
      if (!/\b(?:select|where|update|insert|delete)\b/.test(text)) return
      for (const [pattern, other] of inSql)
        for (const match of text.matchAll(pattern)) {
          const start = node.start + match.index
          replace(
            `SQL: ${match[0].trim()} → ${match[0].replace(pattern, other).trim()}`,
            { start, end: start + match[0].length },
            match[0].replace(pattern, other),
          )
        }
    },
  }).visit(parseSync(path, source).program)
  return found.filter(({ start, end, text }) => source.slice(start, end) !== text)
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
