/** The parts of the resolver, which call each other: names and calls, functions, and arrays. */
import type { CallExpression, Node } from 'typescript/unstable/ast'
import type { Conditions } from './conditions.js'
import type { Bound, Frame, Value } from './frames.js'

export interface Lists {
  /** Results of `list.reduce(…)`. */
  reduced(call: CallExpression, frame: Frame): Value[]
  /** The element at an index. */
  item(list: Node, frame: Frame, index: number): Value[]
  /** Any element of the array whose method is called. */
  anyItem(call: CallExpression, key: string): Value[]
}

export interface Resolver {
  conditions: Conditions
  /** One step towards what an expression is; null at the end. */
  expand(node: Node, frame: Frame): Value[] | null
  /** Possible values of an expression. Throws `Unresolved` for an expression that this tool does not follow. */
  values(node: Node, frame: Frame): Value[]
  /** The same for steps that were made already. */
  finish(steps: readonly Value[]): Value[]
  /** Results of a function with these arguments; the same key has the same frame. */
  apply(of: Value, args: readonly (Bound | undefined)[], key: string): Value[]
  /** Number of a node. */
  idOf(node: Node): number
  /** Runs one level deeper; recursion without end is refused. */
  deeper<T>(node: Node, work: () => T): T
  lists: Lists
}
