/** Evaluates arrays of SQL: array literals, `map` and similar methods, and `reduce`. */
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast'
import {
  isArrayLiteralExpression,
  isBindingElement,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isSpreadElement,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import {
  type Bound,
  branch,
  decided,
  type Frame,
  nothing,
  rootOf,
  somePairs,
  top,
  Unresolved,
  type Value,
  type When,
  withWhen,
} from './frames.js'
import type { Lists, Resolver } from './resolver-type.js'
import { calledName, type Sources } from './sources.js'

const METHODS = new Set(['map', 'flatMap', 'filter', 'reduce', 'toSorted', 'forEach'])

/** True for `list.map(…)` and other calls whose callback is called for each element. */
export const isArrayMethod = (call: CallExpression): boolean =>
  isPropertyAccessExpression(call.expression) && METHODS.has(calledName(call))

const receiverOf = ({ expression }: CallExpression): Expression => {
  if (!isPropertyAccessExpression(expression)) throw new Unresolved('a call of another kind', expression)
  return expression.expression
}

/** An array that is a possible value of an expression. Each of its elements has several possible values. */
interface List {
  items: readonly (readonly Value[])[]
  when: When
}

/**
 * Maximum number of arrays that are possible values of one expression. If there are more, each element is in at least
 * one of the arrays.
 */
const MAX_LISTS = 24

const together = (a: List, b: List, when: When): List => ({ items: [...a.items, ...b.items], when })
const lengthOf = ({ items }: List): number => items.length

export const createLists = (sources: Sources, resolver: Resolver): Lists => {
  const keyOf = (call: CallExpression, frame: Frame, i: number, when: When): string =>
    `${resolver.idOf(call)}/${frame.id}/${i}/${[...when].join()}`

  const callbackOf = (call: CallExpression, frame: Frame): Value => {
    const [callback] = call.arguments
    const [of] = callback ? resolver.values(callback, frame) : []
    if (!of) throw new Unresolved('a callback of another kind', call)
    return of
  }

  const literal = (elements: readonly Expression[], frame: Frame): List[] =>
    elements.reduce<List[]>(
      (sum, element) => {
        const more: List[] = isSpreadElement(element)
          ? lists(element.expression, frame)
          : [{ items: [resolver.values(element, frame)], when: nothing }]
        return somePairs(sum, more, together, { max: MAX_LISTS, lengthOf })
      },
      [{ items: [], when: nothing }],
    )

  const mapped = (call: CallExpression, frame: Frame): List[] => {
    if (calledName(call) !== 'map') return lists(receiverOf(call), frame)
    const of = callbackOf(call, frame)
    const run = (item: Bound, i: number, when: When) =>
      resolver.finish(resolver.apply(of, [item, null], keyOf(call, frame, i, when)))
    let known: List[]
    try {
      known = lists(receiverOf(call), frame)
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error
      // The number of elements of the array is known only at run time, so one element represents all of them.
      return [{ items: [run(null, 0, nothing)], when: nothing }]
    }
    return known.map(({ items, when }) => ({ items: items.map((item, i) => run({ values: item }, i, when)), when }))
  }

  /**
   * For `rest` in `const [first, ...rest] = list`: the list, and the index of the first element of `rest`. Null for
   * other names.
   */
  const restOf = (name: Node): { list: Node; from: number } | null => {
    const declaration = sources.declarationOf(name)
    if (!declaration || !isBindingElement(declaration) || !declaration.dotDotDotToken) return null
    const { root, path } = rootOf(declaration)
    const [from, ...deeper] = path
    if (!isVariableDeclaration(root) || !root.initializer || typeof from !== 'number' || deeper.length) return null
    return { list: root.initializer, from }
  }

  /** The arrays that an expression may have as value, each with the conditions under which it has it. */
  const lists = (node: Node, frame: Frame): List[] =>
    resolver.deeper(node, () => {
      if (isArrayLiteralExpression(node)) return literal(node.elements, frame)
      if (isCallExpression(node) && isArrayMethod(node)) return mapped(node, frame)
      const rest = isIdentifier(node) ? restOf(node) : null
      if (rest) return lists(rest.list, frame).map(({ items, when }) => ({ items: items.slice(rest.from), when }))
      const steps = resolver.expand(node, frame)
      if (!steps) throw new Unresolved('an array of another kind', node)
      return steps.flatMap((step) => (step.node ? withWhen(lists(step.node, step.frame), step.when) : []))
    })

  return {
    reduced(call, frame) {
      const of = callbackOf(call, frame)
      const initial = call.arguments[1]
      return lists(receiverOf(call), frame).flatMap(({ items, when }) => {
        const start = initial ? resolver.values(initial, frame) : (items[0] ?? [])
        const folded = (initial ? items : items.slice(1)).reduce<readonly Value[]>((sum, item, i) => {
          const args: Bound[] = [{ values: sum }, { values: item }, { values: [{ index: i, when: nothing }] }]
          return resolver.finish(resolver.apply(of, args, keyOf(call, frame, i, when)))
        }, start)
        return withWhen(folded, when)
      })
    },
    item: (list, frame, index) => lists(list, frame).flatMap(({ items, when }) => withWhen(items[index] ?? [], when)),
    anyItem: (call, key) =>
      lists(receiverOf(call), top).flatMap(({ items, when }) =>
        items.flatMap((item, i) => withWhen(withWhen(item, when), decided(key, branch(i)))),
      ),
  }
}
