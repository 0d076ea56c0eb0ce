/** Finds messages in source files: the literal arguments of functions such as `t`, `msg`, `fail` and `errorText`. */
import { parseAst } from 'vitest/node'
import type { SourceFile } from './files.js'

export interface FoundMessage {
  readonly text: string
  /** File and line of the message. */
  readonly at: string
  /** Names of the arguments that a call gives to the message; null if the call does not name them literally. */
  readonly args: readonly string[] | null
  /** True if the message is the text of an error of a service. */
  readonly isError?: true
}

/** Messages in a file, and calls whose message is not a literal. */
export interface FoundMessages {
  readonly messages: FoundMessage[]
  readonly problems: string[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

interface Receiver {
  /** Index of the message among the arguments of the function. `all`: true if each argument from that index on is a message. */
  readonly at: number
  readonly all?: true
  /**
   * `next`: the argument after the message contains its values. `none`: the message has no values. `later`: other code
   * gives the values.
   */
  readonly values: 'next' | 'none' | 'later'
  /** True for functions that create errors. Their English text only replaces names in braces, so a plural is not possible. */
  readonly isError?: true
}

const ERROR = { values: 'none', isError: true } as const
const RECEIVERS: ReadonlyMap<string, Receiver> = new Map<string, Receiver>([
  ['t', { at: 0, values: 'next' }],
  ['msg', { at: 0, values: 'later' }],
  ['translate', { at: 1, values: 'next' }],
  ['translateParts', { at: 1, values: 'next' }],
  ['errorText', { at: 0, values: 'next', isError: true }],
  ['fail', { at: 1, ...ERROR }],
  ['notYet', { at: 0, ...ERROR }],
  ['notFound', { at: 0, ...ERROR }],
  ['invalidField', { at: 0, all: true, ...ERROR }],
  ['problem', { at: 2, ...ERROR }],
  ['StreamRefusal', { at: 1, ...ERROR }],
])
/**
 * Methods of schemas whose second argument is the text of an error. They count only in contracts, because other objects
 * have methods with these names, too.
 */
const OF_SCHEMAS = new Set(['refine', 'regex'])
const SCHEMAS = /^packages\/contracts\//
const CALL = new RegExp(`\\b(?:${[...RECEIVERS.keys(), ...OF_SCHEMAS].join('|')})\\(`)

const nameOf = (callee: unknown): string =>
  isNode(callee) ? String(callee.name ?? (isNode(callee.property) ? callee.property.name : '')) : ''

/** Constants of a file that have one text as their value, by name. */
type Constants = ReadonlyMap<string, string>

/** Possible literal values of an expression; null for a text that is composed at run time. */
const literalsOf = (node: Node, constants: Constants): string[] | null => {
  if (node.type === 'Identifier') return [constants.get(String(node.name)) ?? []].flat()
  if (node.type === 'Literal') return typeof node.value === 'string' && node.value !== '' ? [node.value] : []
  if (node.type === 'ConditionalExpression') {
    const both = [literalsOf(node.consequent as Node, constants), literalsOf(node.alternate as Node, constants)]
    return both.includes(null) ? null : both.flatMap((one) => one ?? [])
  }
  if (node.type === 'LogicalExpression') {
    const both = [literalsOf(node.left as Node, constants), literalsOf(node.right as Node, constants)]
    return both.includes(null) ? null : both.flatMap((one) => one ?? [])
  }
  if (node.type === 'TemplateLiteral' || (node.type === 'BinaryExpression' && node.operator === '+')) return null
  return []
}

const keysOf = (node: Node | undefined): string[] | null => {
  if (node?.type !== 'ObjectExpression') return null
  const properties = node.properties as Node[]
  if (properties.some(({ type }) => type !== 'Property')) return null
  return properties.map(({ key }) => String((key as Node).name ?? (key as Node).value))
}

const constantsIn = (text: string): Constants =>
  new Map(
    [...text.matchAll(/^const ([A-Z\d_]+)(?:: \w+)? =\s+(?:'([^'\n]*)'|"([^"\n]*)")$/gm)].map(
      ([, name = '', single, double]) => [name, single ?? double ?? ''],
    ),
  )

const receiverOf = (path: string, node: Node): Receiver | undefined => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  const name = nameOf(node.callee)
  if (OF_SCHEMAS.has(name)) return SCHEMAS.test(path) ? { at: 1, ...ERROR } : undefined
  return RECEIVERS.get(name)
}

/** Returns the messages of one source file. */
export const messagesIn = ({ path, text }: SourceFile): FoundMessages => {
  const found: FoundMessages = { messages: [], problems: [] }
  if (!CALL.test(text)) return found
  const constants = constantsIn(text)
  const read = (message: Node, receiver: Receiver, values: Node | undefined, at: string): void => {
    const literals = literalsOf(message, constants)
    if (literals === null) found.problems.push(`${at} composes a message: write it as one literal with arguments`)
    // A constant that is imported from another file is a literal for the compiler, but this check cannot read its value.
    const isElsewhere = message.type === 'Identifier' && /^[A-Z][A-Z\d_]*$/.test(String(message.name))
    if (receiver.isError && isElsewhere && literals?.length === 0)
      found.problems.push(`${at} takes a message from elsewhere: write errorText('…') there`)
    const args =
      receiver.values === 'none' || (receiver.values === 'next' && values === undefined) ? [] : keysOf(values)
    for (const literal of literals ?? [])
      found.messages.push({ text: literal, at, args, ...(receiver.isError && { isError: true }) })
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    if (!isNode(value)) return
    const receiver = receiverOf(path, value)
    if (receiver !== undefined) {
      const given = (value.arguments as Node[]).slice(receiver.at)
      const at = `${path}:${text.slice(0, value.start).split('\n').length}`
      for (const message of receiver.all ? given : given.slice(0, 1))
        read(message, receiver, receiver.values === 'next' ? given[1] : undefined, at)
    }
    for (const [member, child] of Object.entries(value)) if (member !== 'type') visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }).body)
  return found
}
