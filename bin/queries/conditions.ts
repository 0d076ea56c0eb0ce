/** Conditions between parts of a query: the same condition has the same key, and some are known from the arguments of a call. */
import type { BinaryExpression, Node } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isIdentifier,
  isNumericLiteral,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { boundTo, branch, canonical, type Frame, top } from './frames.js'
import type { Sources } from './sources.js'

export interface Condition {
  key: string
  /** Branches of the key in which the condition is true. */
  yes: bigint
  no: bigint
  /** `known` is set when the condition is known. */
  known?: boolean | undefined
}

const not = ({ key, yes, no, known }: Condition): Condition => ({
  key,
  yes: no,
  no: yes,
  known: known === undefined ? undefined : !known,
})

type Literal = string | number | boolean | null | undefined
const unknown = Symbol('unknown')

export const createConditions = (sources: Sources) => {
  /** The literal that an expression is. */
  const literal = (node: Node, frame: Frame): Literal | typeof unknown => {
    if (isStringLiteral(node)) return node.text
    if (isNumericLiteral(node)) return Number(node.text)
    if (node.kind === SyntaxKind.NullKeyword) return null
    if (node.kind === SyntaxKind.TrueKeyword) return true
    if (node.kind === SyntaxKind.FalseKeyword) return false
    if (!isIdentifier(node)) return unknown
    if (node.text === 'undefined') return undefined
    const declared = sources.declarationOf(node)
    const bound = declared && isParameterDeclaration(declared) ? boundTo(declared, frame) : null
    if (!bound) return unknown
    if ('node' in bound) return literal(bound.node, bound.frame)
    const [value] = bound.values
    if (!value) return undefined
    return value.index ?? unknown
  }

  const known = (node: Node, frame: Frame): boolean | undefined => {
    if (isParenthesizedExpression(node)) return known(node.expression, frame)
    if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      const inner = known(node.operand, frame)
      return inner === undefined ? undefined : !inner
    }
    if (isBinaryExpression(node)) {
      const operator = node.operatorToken.kind
      if (operator === SyntaxKind.EqualsEqualsEqualsToken || operator === SyntaxKind.ExclamationEqualsEqualsToken) {
        const [left, right] = [literal(node.left, frame), literal(node.right, frame)]
        if (left === unknown || right === unknown) return undefined
        return (left === right) === (operator === SyntaxKind.EqualsEqualsEqualsToken)
      }
      const [left, right] = [known(node.left, frame), known(node.right, frame)]
      if (operator === SyntaxKind.AmpersandAmpersandToken)
        return left === false || right === false ? false : left && right
      if (operator === SyntaxKind.BarBarToken) return left || right ? true : left === false ? right : undefined
      return undefined
    }
    const value = literal(node, frame)
    return value === unknown ? undefined : Boolean(value)
  }

  const literalIds = new Map<string, Map<unknown, number>>()
  /** Branch of a choice between literals: the choice `which` has one for 'blocks', and one for 'mutes'. */
  const literalBranch = (key: string, value: Literal): bigint => {
    const ids = literalIds.get(key) ?? new Map<unknown, number>()
    literalIds.set(key, ids)
    const id = ids.get(value) ?? ids.size
    ids.set(value, id)
    return branch(id)
  }

  /** Key of the choice between the literals that an expression may be. */
  const choice = (node: Node, frame: Frame): string => `= ${canonical(node, frame, sources.declarationOf)}`

  const equality = (node: BinaryExpression, frame: Frame): Condition | null => {
    const kind = node.operatorToken.kind
    const isEqual = kind === SyntaxKind.EqualsEqualsEqualsToken
    if (!isEqual && kind !== SyntaxKind.ExclamationEqualsEqualsToken) return null
    const value = literal(node.right, frame)
    if (value === unknown) return null
    const key = choice(node.left, frame)
    const yes = literalBranch(key, value)
    const equal = { key, yes, no: ~yes, known: known(node, frame) }
    return isEqual ? equal : { ...not(equal), known: equal.known }
  }

  /** Key of a condition, its branches, and whether it is known. */
  const conditionOf = (node: Node, frame: Frame): Condition => {
    if (isParenthesizedExpression(node)) return conditionOf(node.expression, frame)
    if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
      return not(conditionOf(node.operand, frame))
    const equal = isBinaryExpression(node) ? equality(node, frame) : null
    return equal ?? { key: canonical(node, frame, sources.declarationOf), yes: 1n, no: 2n, known: known(node, frame) }
  }
  return { conditionOf, literalBranch, choice, literal: (node: Node) => literal(node, top) }
}

export type Conditions = ReturnType<typeof createConditions>
