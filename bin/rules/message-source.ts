/** Finds messages in source files: the literal arguments of `t`, `msg`, `translate` and `translateParts`. */
import { parseAst } from 'vitest/node'
import type { SourceFile } from './files.js'

export interface FoundMessage {
  readonly text: string
  /** File and line. */
  readonly at: string
  /** Names of the values in the call; null if they are not literal. */
  readonly args: readonly string[] | null
}

/** Messages of a file, and calls whose message is not literal. */
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

/** Position of the message among the arguments of each function. */
const POSITIONS: ReadonlyMap<string, number> = new Map([
  ['t', 0],
  ['msg', 0],
  ['translate', 1],
  ['translateParts', 1],
])
const CALL = /\b(?:t|msg|translate|translateParts)\(/

const nameOf = (callee: unknown): string =>
  isNode(callee) ? String(callee.name ?? (isNode(callee.property) ? callee.property.name : '')) : ''

/** Possible literal values of an expression; null for a composed text. */
const literalsOf = (node: Node): string[] | null => {
  if (node.type === 'Literal') return typeof node.value === 'string' && node.value !== '' ? [node.value] : []
  if (node.type === 'ConditionalExpression') {
    const both = [literalsOf(node.consequent as Node), literalsOf(node.alternate as Node)]
    return both.includes(null) ? null : both.flatMap((one) => one ?? [])
  }
  if (node.type === 'LogicalExpression') {
    const both = [literalsOf(node.left as Node), literalsOf(node.right as Node)]
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

/** Messages of one file. */
export const messagesIn = ({ path, text }: SourceFile): FoundMessages => {
  const found: FoundMessages = { messages: [], problems: [] }
  if (!CALL.test(text)) return found
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    if (!isNode(value)) return
    const position = value.type === 'CallExpression' ? POSITIONS.get(nameOf(value.callee)) : undefined
    if (position !== undefined) {
      const { [position]: message, [position + 1]: args } = value.arguments as Node[]
      const at = `${path}:${text.slice(0, value.start).split('\n').length}`
      const literals = message ? literalsOf(message) : []
      if (literals === null) found.problems.push(`${at} composes a message: write it as one literal with arguments`)
      const keys = args === undefined && nameOf(value.callee) !== 'msg' ? [] : keysOf(args)
      for (const literal of literals ?? []) found.messages.push({ text: literal, at, args: keys })
    }
    for (const [member, child] of Object.entries(value)) if (member !== 'type') visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }).body)
  return found
}
