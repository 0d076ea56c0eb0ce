/** Interfaces of the parts of the resolver, which call each other: names and calls, functions, and arrays. */
import type { CallExpression, Node } from 'typescript/unstable/ast'
import type { Conditions } from './conditions.js'
import type { Bound, Frame, Value } from './frames.js'

export interface Lists {
  /** Returns the possible results of a call `list.reduce(…)`. */
  reduced(call: CallExpression, frame: Frame): Value[]
  /** Possible values of the element at an index of an array. */
  item(list: Node, frame: Frame, index: number): Value[]
  /** Possible values of an element of the array on which a method is called. */
  anyItem(call: CallExpression, key: string): Value[]
}

export interface Resolver {
  conditions: Conditions
  /**
   * Replaces a name, a call or another expression by the expressions that it stands for, in one step. Returns null for
   * an expression that needs no further evaluation.
   */
  expand(node: Node, frame: Frame): Value[] | null
  /** Returns the possible values of an expression. Throws `Unresolved` for an expression that this tool does not evaluate. */
  values(node: Node, frame: Frame): Value[]
  /** Returns the possible values, like `values`, of the expressions that an earlier step returned. */
  finish(steps: readonly Value[]): Value[]
  /** Possible results of a function with these arguments. Calls with the same key share a frame. */
  apply(of: Value, args: readonly (Bound | undefined)[], key: string): Value[]
  /** Unique number of a syntax node, which keys contain. */
  idOf(node: Node): number
  /** Runs a nested evaluation. Throws `Unresolved` if the nesting is too deep, which happens for recursive functions. */
  deeper<T>(node: Node, work: () => T): T
  lists: Lists
}
