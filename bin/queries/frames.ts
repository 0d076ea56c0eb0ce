/** Data structures for the evaluation of a query: frames of function calls, and the conditions on which parts of the query depend. */
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

/** Error for a query whose source code this tool cannot evaluate. */
export class Unresolved extends Error {
  readonly node: Node | undefined
  constructor(message: string, node: Node | undefined) {
    super(message)
    this.node = node
  }
}

/**
 * Possible branches of each choice in the code of a query, one bit per branch. In a negative number all higher bits are
 * set, so `~1n` is every branch except the first.
 */
export type When = ReadonlyMap<string, bigint>

export const nothing: When = new Map()

/** Combines two maps of possible branches. Returns null if a choice has no branch that is possible in both. */
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

/** Restricts the items to the branches in `when`. Items that are not possible with these branches are left out. */
export const withWhen = <T extends { when: When }>(list: readonly T[], when: When): T[] =>
  when.size === 0
    ? [...list]
    : list.flatMap((one) => {
        const both = merge(one.when, when)
        return both ? [{ ...one, when: both }] : []
      })

/** Combines each item of `left` with each item of `right`, if both are possible with the same branches. */
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
 * Like `pairs`, if there are at most `max` pairs. Otherwise, each item of `right` is combined with the shortest item of
 * `left` and with one other item of `left`. Each item of `left` is in at least one pair. The shortest item has none of
 * the optional parts that may depend on each other.
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

/** An SQL text with parameters: the SQL between its parameters, and the expressions of the parameters. */
export interface Text {
  readonly parts: readonly string[]
  readonly params: readonly Node[]
  readonly when: When
}

/** A possible value of an expression: a node that needs no further evaluation, complete SQL, or a number. */
export type Value = { when: When } & (
  | { node: Node; frame: Frame; text?: undefined; index?: undefined }
  | { text: Text; node?: undefined; index?: undefined }
  | { index: number; node?: undefined; text?: undefined }
)

/** Argument of a function parameter: an expression, or the values that it may have. Null if this tool cannot evaluate the argument. */
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

/** The innermost function that contains a node; null if no function contains it. */
export const functionAround = (node: Node): Node | null => {
  for (let at = node.parent as Node | undefined; at; at = at.parent) if (isFunction(at)) return at
  return null
}

/** Returns the frame of a call of the function: `from` or one of its parents. Null if none of them is a call of the function. */
export const frameOf = (of: Node | null, from: Frame): Frame | null => {
  for (let frame: Frame | null = from; frame; frame = frame.parent) if (frame.function === of) return frame
  return null
}

/** Returns the parameter or variable whose destructuring pattern declares a name, and the path to the name in the pattern. */
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

/** Argument of a function parameter in a frame. Undefined if no call of its function is being evaluated. */
export const boundTo = (parameter: Node, frame: Frame): Bound | undefined =>
  frameOf(functionAround(parameter), frame)?.bound.get(parameter)

type Declare = (name: Node) => Node | undefined

/**
 * Text of an expression in which parameters are replaced by their arguments. Equal conditions in different functions
 * therefore have equal texts.
 */
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
