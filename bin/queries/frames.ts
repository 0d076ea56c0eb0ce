/** Calls that are followed while a query is put together, and the conditions that its parts depend on. */
import type { Expression, Node } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import {
  isArrowFunction,
  isBindingElement,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isNumericLiteral,
  isParameterDeclaration,
  isPrefixUnaryExpression,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'

/** The query is written in a way that this tool does not follow. */
export class Unresolved extends Error {
  readonly node: Node | undefined
  constructor(message: string, node: Node | undefined) {
    super(message)
    this.node = node
  }
}

/**
 * Decisions: for each choice, the set of branches that are possible, one bit each. Negative numbers have all further bits, so
 * `~1n` is every branch except the first.
 */
export type When = ReadonlyMap<string, bigint>

export const nothing: When = new Map()

/** Combines two sets of decisions; null when they contradict each other. */
export const merge = (a: When, b: When): When | null => {
  if (!b.size) return a
  if (!a.size) return b
  const both = new Map(a)
  for (const [key, branches] of b) {
    const left = (both.get(key) ?? -1n) & branches
    if (left === 0n) return null
    both.set(key, left)
  }
  return both
}

export const decided = (key: string, branches: bigint): When => new Map([[key, branches]])

export const branch = (index: number): bigint => 1n << BigInt(index)

/** Returns the items whose decisions are possible together with `when`. */
export const withWhen = <T extends { when: When }>(list: readonly T[], when: When): T[] =>
  when.size === 0
    ? [...list]
    : list.flatMap((one) => {
        const both = merge(one.when, when)
        return both ? [{ ...one, when: both }] : []
      })

/** All pairs that do not contradict each other. */
export const pairs = <A extends { when: When }, B extends { when: When }, C>(
  left: readonly A[],
  right: readonly B[],
  join: (a: A, b: B, when: When) => C,
): C[] =>
  left.flatMap((a) =>
    right.flatMap((b) => {
      const when = merge(a.when, b.when)
      return when ? [join(a, b, when)] : []
    }),
  )

/**
 * All pairs. If they are more than `max`: each of `right` with the shortest and with another of `left`, and each of `left` once. The
 * shortest has none of the optional parts that may depend on each other.
 */
export const somePairs = <A extends { when: When }, B extends { when: When }, C>(
  left: readonly A[],
  right: readonly B[],
  join: (a: A, b: B, when: When) => C,
  { max, lengthOf }: { max: number; lengthOf: (a: A) => number },
): C[] => {
  if (left.length * right.length <= max) return pairs(left, right, join)
  const found = new Map<string, C>()
  const addFirst = (as: readonly number[], bs: readonly number[]): void => {
    for (const a of as)
      for (const b of bs) {
        const [one, other] = [left[a] as A, right[b] as B]
        const when = merge(one.when, other.when)
        if (when) return void found.set(`${a} ${b}`, join(one, other, when))
      }
  }
  const turned = (length: number, by: number) => Array.from({ length }, (_, i) => (i + by) % length)
  const byLength = turned(left.length, 0).toSorted((a, b) => lengthOf(left[a] as A) - lengthOf(left[b] as A))
  right.forEach((_, b) => {
    addFirst(byLength, [b])
    addFirst(turned(left.length, b), [b])
  })
  left.forEach((_, a) => {
    addFirst([a], turned(right.length, a))
  })
  return [...found.values()]
}

/** A part of SQL: text between parameters, and the expressions of these. */
export interface Text {
  readonly parts: readonly string[]
  readonly params: readonly Node[]
  readonly when: When
}

/** A possible value of an expression: syntax without further names or calls, finished SQL, or a number. */
export type Value = { when: When } & (
  | { node: Node; frame: Frame; text?: undefined; index?: undefined }
  | { text: Text; node?: undefined; index?: undefined }
  | { index: number; node?: undefined; text?: undefined }
)

/** Argument of a parameter; null for a value that is not followed. */
export type Bound = { node: Expression; frame: Frame } | { values: readonly Value[] } | null

export interface Frame {
  readonly id: number
  readonly function: Node | null
  readonly parent: Frame | null
  readonly bound: ReadonlyMap<Node, Bound>
}

export const top: Frame = { id: 0, function: null, parent: null, bound: new Map() }

export const at = (node: Node, frame: Frame, when: When = nothing): Value => ({ node, frame, when })

let frames = 0
export const newFrame = (of: Node, parent: Frame, bound: ReadonlyMap<Node, Bound>): Frame => ({
  id: ++frames,
  function: of,
  parent,
  bound,
})

export const isFunction = (node: Node) =>
  isArrowFunction(node) || isFunctionDeclaration(node) || isFunctionExpression(node) || isMethodDeclaration(node)

/** The innermost function around a node; null at the top of a file. */
export const functionAround = (node: Node): Node | null => {
  for (let at = node.parent as Node | undefined; at; at = at.parent) if (isFunction(at)) return at
  return null
}

/** The frame of this function among a frame and those around it. */
export const frameOf = (of: Node | null, from: Frame): Frame | null => {
  for (let frame: Frame | null = from; frame; frame = frame.parent) if (frame.function === of) return frame
  return null
}

/** The parameter or variable that a name inside of patterns belongs to, and the way to the name. */
export const rootOf = (declaration: Node): { root: Node; path: (string | number)[] } => {
  const path: (string | number)[] = []
  let at = declaration
  while (isBindingElement(at)) {
    const pattern = at.parent
    const named = at.propertyName ?? at.name
    const isArray = pattern.kind === SyntaxKind.ArrayBindingPattern
    let index = -1
    let n = 0
    if (isArray)
      pattern.forEachChild((child) => {
        if (child === at) index = n
        n += 1
      })
    path.unshift(isArray ? index : (named?.getText() ?? ''))
    at = pattern.parent
  }
  return { root: at, path }
}

/** Argument of a parameter; undefined when the call of its function is not known. */
export const boundTo = (parameter: Node, frame: Frame): Bound | undefined =>
  frameOf(functionAround(parameter), frame)?.bound.get(parameter)

type Declare = (name: Node) => Node | undefined

/** The same text for the same condition, also when a function gets its values as arguments. */
export const canonical = (node: Node, frame: Frame, declarationOf: Declare): string => {
  if (isIdentifier(node)) {
    const declared = declarationOf(node)
    if (!declared) return node.text
    const { root, path } = rootOf(declared)
    const suffix = path.map((step) => `.${step}`).join('')
    if (isParameterDeclaration(root)) {
      const bound = boundTo(root, frame)
      if (bound && 'node' in bound) return canonical(bound.node, bound.frame, declarationOf) + suffix
      const holder = frameOf(functionAround(root), frame)
      return `${node.text}@${holder?.id ?? 0}:${root.getStart()}`
    }
    if (isVariableDeclaration(root)) return `${node.text}@${frameOf(functionAround(root), frame)?.id ?? 0}`
    return node.text
  }
  if (isStringLiteral(node) || isNumericLiteral(node)) return node.getText()
  const parts: string[] = []
  node.forEachChild((child) => {
    parts.push(canonical(child, frame, declarationOf))
  })
  if (node.kind === SyntaxKind.PropertyAccessExpression) return parts.join('.')
  const operator = isPrefixUnaryExpression(node) ? String(node.operator) : ''
  return parts.length ? `(${node.kind}${operator} ${parts.join(' ')})` : node.getText()
}
