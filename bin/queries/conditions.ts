/**
 * Evaluates the conditions in TypeScript that decide which parts a query contains. Equal conditions have the same key.
 * The arguments of a call may determine a condition.
 */
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
  /** Branches of the choice with this key for which the condition is true, one bit per branch. */
  yes: bigint
  no: bigint
  /** Value of the condition if the arguments of the call determine it; else undefined. */
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
  /**
   * Value of an expression that is a literal, or a parameter with a literal as argument. For any other expression,
   * returns `unknown`.
   */
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
  /**
   * Branch of a choice for one of the literals that an expression may be. For example, the choice `which` has one
   * branch for 'blocks' and one for 'mutes'.
   */
  const literalBranch = (key: string, value: Literal): bigint => {
    const ids = literalIds.get(key) ?? new Map<unknown, number>()
    literalIds.set(key, ids)
    const id = ids.get(value) ?? ids.size
    ids.set(value, id)
    return branch(id)
  }

  /** Key of the choice between the values that an expression may have. */
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

  /** Returns the key of a condition, the branches for which it is true, and its value if the value is known. */
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
