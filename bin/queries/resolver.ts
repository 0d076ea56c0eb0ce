/** Evaluates expressions: finds their possible values by following names, calls and conditions through the sources. */
import type { CallExpression, Node, ParameterDeclaration } from 'typescript/unstable/ast'
import { NodeFlags, SyntaxKind } from 'typescript/unstable/ast'
import {
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isNonNullExpression,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { createConditions } from './conditions.js'
import {
  at,
  boundTo,
  branch,
  decided,
  type Frame,
  frameOf,
  functionAround,
  merge,
  rootOf,
  top,
  Unresolved,
  type Value,
  withWhen,
} from './frames.js'
import { createApply } from './functions.js'
import { createLists, isArrayMethod } from './lists.js'
import type { Resolver } from './resolver-type.js'
import { calledName, type Sources } from './sources.js'

/** Maximum nesting of names and calls that are followed. A deeper nesting means endless recursion. */
const MAX_DEPTH = 60

const nameOf = (name: Node): string => (isStringLiteral(name) || isIdentifier(name) ? name.text : name.getText())

export const createResolver = (sources: Sources): Resolver => {
  const conditions = createConditions(sources)
  const { conditionOf, literalBranch, choice } = conditions
  let depth = 0
  const ids = new Map<Node, number>()

  const choose = (condition: Node, frame: Frame, yes: Node, no: Node): Value[] => {
    const { key, known, ...masks } = conditionOf(condition, frame)
    if (known !== undefined) return [at(known ? yes : no, frame)]
    return [at(yes, frame, decided(key, masks.yes)), at(no, frame, decided(key, masks.no))]
  }

  const call = (node: CallExpression, frame: Frame): Value[] => {
    const args = node.arguments.map((argument) => ({ node: argument, frame }))
    return values(node.expression, frame).flatMap((of) => apply(of, args, `${resolver.idOf(node)}/${frame.id}`))
  }

  /** Arguments that the calls of a function in the sources give for one of its parameters. */
  const callers = (parameter: ParameterDeclaration): Value[] => {
    const of = parameter.parent
    if (!isFunctionLikeDeclaration(of)) throw new Unresolved('a parameter of another kind', parameter)
    const index = of.parameters.indexOf(parameter)
    if (isCallExpression(of.parent) && isArrayMethod(of.parent) && index === 0)
      return resolver.lists.anyItem(of.parent, `call of ${resolver.idOf(of)}`)
    const name = isFunctionDeclaration(of) ? of.name : isVariableDeclaration(of.parent) ? of.parent.name : undefined
    if (!name) throw new Unresolved('a parameter of a function without name', parameter)
    const calls = sources.callsOf(name)
    if (!calls.length) throw new Unresolved(`no call of ${name.getText()}`, parameter)
    return calls.flatMap((one, i) => {
      const given = one.arguments[index] ?? parameter.initializer
      return given ? [at(given, top, decided(`call of ${resolver.idOf(of)}`, branch(i)))] : []
    })
  }

  const fromDeclaration = (declaration: Node, frame: Frame): Value[] => {
    if (isFunctionDeclaration(declaration)) return [at(declaration, frameOf(functionAround(declaration), frame) ?? top)]
    const { root, path } = rootOf(declaration)
    const follow = (steps: Value[]): Value[] =>
      path.reduce<Value[]>((reached, key) => reached.flatMap((step) => member(step, key, declaration)), steps)
    if (isVariableDeclaration(root)) {
      if (!root.initializer) throw new Unresolved('a variable without initial value', root)
      if (root.parent.flags & NodeFlags.Let) throw new Unresolved('a variable that changes', root)
      return follow([at(root.initializer, frameOf(functionAround(root), frame) ?? frame)])
    }
    if (!isParameterDeclaration(root)) throw new Unresolved('a declaration of another kind', declaration)
    const bound = boundTo(root, frame)
    if (bound === null) throw new Unresolved('an element of a list', root)
    if (bound === undefined) return follow(callers(root))
    return follow('node' in bound ? [at(bound.node, bound.frame)] : [...bound.values])
  }

  const declared = (name: Node, frame: Frame): Value[] => {
    if (name.getText() === 'undefined') return []
    const declaration = sources.declarationOf(name)
    if (!declaration) throw new Unresolved(`no declaration of ${name.getText()}`, name)
    return fromDeclaration(declaration, frame)
  }

  /** Possible values of a property of an object, or of an element of an array. */
  const member = (step: Value, key: string | number, where: Node): Value[] =>
    finish([step]).flatMap((value) => {
      if (!value.node) throw new Unresolved('a member of SQL', where)
      if (typeof key === 'number') return withWhen(resolver.lists.item(value.node, value.frame, key), value.when)
      if (!isObjectLiteralExpression(value.node)) throw new Unresolved(`${key} of another expression`, where)
      for (const property of value.node.properties.toReversed()) {
        if (isPropertyAssignment(property) && nameOf(property.name) === key)
          return [at(property.initializer, value.frame, value.when)]
        if (isShorthandPropertyAssignment(property) && nameOf(property.name) === key) {
          const declaration = sources.shorthandOf(property)
          return declaration ? withWhen(fromDeclaration(declaration, value.frame), value.when) : []
        }
        if (isSpreadAssignment(property)) {
          const inside = member(at(property.expression, value.frame, value.when), key, where)
          if (inside.length) return inside
        }
      }
      return []
    })

  /** Possible values of `of[index]`. If the index is known only at run time, these are the values of all properties of the object. */
  const element = (of: Node, index: Node, frame: Frame): Value[] =>
    values(of, frame).flatMap((value) => {
      if (isNumericLiteral(index)) return member(value, Number(index.text), of)
      if (isStringLiteral(index)) return member(value, index.text, of)
      if (!value.node || !isObjectLiteralExpression(value.node)) throw new Unresolved('an element of another value', of)
      const key = choice(index, frame)
      return value.node.properties.flatMap((property) => {
        if (!isPropertyAssignment(property)) return []
        const when = merge(value.when, decided(key, literalBranch(key, nameOf(property.name))))
        return when ? [at(property.initializer, value.frame, when)] : []
      })
    })

  const expand = (node: Node, frame: Frame): Value[] | null => {
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node) ||
      isAwaitExpression(node)
    )
      return [at(node.expression, frame)]
    if (isConditionalExpression(node)) return choose(node.condition, frame, node.whenTrue, node.whenFalse)
    if (isBinaryExpression(node)) {
      const kind = node.operatorToken.kind
      if (kind !== SyntaxKind.QuestionQuestionToken && kind !== SyntaxKind.BarBarToken) return null
      return choose(node.left, frame, node.left, node.right)
    }
    if (isIdentifier(node)) return declared(node, frame)
    if (isPropertyAccessExpression(node)) return member(at(node.expression, frame), node.name.text, node)
    if (isElementAccessExpression(node)) return element(node.expression, node.argumentExpression, frame)
    return isCallExpression(node) && !isArrayMethod(node) ? call(node, frame) : null
  }

  const finish = (steps: readonly Value[]): Value[] =>
    steps.flatMap((step) => (step.node ? withWhen(values(step.node, step.frame), step.when) : [step]))

  const values = (node: Node, frame: Frame): Value[] =>
    resolver.deeper(node, () => {
      const steps = expand(node, frame)
      if (steps) return finish(steps)
      return isCallExpression(node) && calledName(node) === 'reduce'
        ? resolver.lists.reduced(node, frame)
        : [at(node, frame)]
    })

  const resolver: Resolver = {
    conditions,
    expand,
    values,
    finish,
    apply: (...args) => apply(...args),
    idOf(node) {
      const known = ids.get(node) ?? ids.size + 1
      ids.set(node, known)
      return known
    },
    deeper(node, work) {
      if (depth > MAX_DEPTH) throw new Unresolved('too many calls inside each other', node)
      depth += 1
      try {
        return work()
      } finally {
        depth -= 1
      }
    },
    get lists() {
      return lists
    },
  }
  const apply = createApply(resolver)
  const lists = createLists(sources, resolver)
  return resolver
}
