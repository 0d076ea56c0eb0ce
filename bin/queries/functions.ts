/** Evaluates calls of functions in the checked sources: binds their parameters, and collects the values that they may return. */
import type { Node, ParameterDeclaration, Statement, SwitchStatement } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import {
  isBlock,
  isCaseClause,
  isFunctionLikeDeclaration,
  isIfStatement,
  isReturnStatement,
  isSwitchStatement,
} from 'typescript/unstable/ast/is'
import { at, type Bound, decided, type Frame, newFrame, Unresolved, type Value, withWhen } from './frames.js'
import type { Resolver } from './resolver-type.js'

export const createApply = (resolver: Resolver): Resolver['apply'] => {
  const { conditionOf, literalBranch, choice, literal } = resolver.conditions
  const frames = new Map<string, Frame>()

  const clauses = (of: SwitchStatement, rest: readonly Statement[], frame: Frame): Value[] => {
    const key = choice(of.expression, frame)
    const branches = of.caseBlock.clauses.map((clause) => {
      const value = isCaseClause(clause) ? literal(clause.expression) : undefined
      return isCaseClause(clause) && typeof value !== 'symbol' ? literalBranch(key, value) : 0n
    })
    const named = branches.reduce((sum, one) => sum | one, 0n)
    return of.caseBlock.clauses.flatMap((clause, i) =>
      withWhen(returned([...clause.statements, ...rest], frame), decided(key, branches[i] || ~named)),
    )
  }

  /** Expressions that these statements may return, each with the conditions under which it is returned. */
  const returned = (statements: readonly Statement[], frame: Frame): Value[] => {
    const [first, ...rest] = statements
    if (!first || first.kind === SyntaxKind.ThrowStatement) return []
    if (isReturnStatement(first)) return first.expression ? [at(first.expression, frame)] : []
    if (isBlock(first)) return returned([...first.statements, ...rest], frame)
    if (isSwitchStatement(first)) return clauses(first, rest, frame)
    if (!isIfStatement(first)) return returned(rest, frame)
    const { key, yes, no, known } = conditionOf(first.expression, frame)
    const then = () => returned([first.thenStatement, ...rest], frame)
    const otherwise = () => returned(first.elseStatement ? [first.elseStatement, ...rest] : rest, frame)
    if (known !== undefined) return known ? then() : otherwise()
    return [...withWhen(then(), decided(key, yes)), ...withWhen(otherwise(), decided(key, no))]
  }

  const bind = (parameters: readonly ParameterDeclaration[], args: readonly (Bound | undefined)[], frame: Frame) =>
    new Map<Node, Bound>(
      parameters.map((parameter, i) => {
        const given = args[i]
        if (given !== undefined) return [parameter, given]
        return [parameter, parameter.initializer ? { node: parameter.initializer, frame } : { values: [] }]
      }),
    )

  return (value, args, key) => {
    const of = value.node
    if (!of || !isFunctionLikeDeclaration(of) || !of.body) throw new Unresolved('not a function of this source', of)
    const name = `${key}:${resolver.idOf(of)}:${value.frame.id}`
    const frame = frames.get(name) ?? newFrame(of, value.frame, bind(of.parameters, args, value.frame))
    frames.set(name, frame)
    const results = isBlock(of.body) ? returned(of.body.statements, frame) : [at(of.body, frame)]
    return withWhen(results, value.when)
  }
}
