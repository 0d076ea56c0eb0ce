/** Finds calls that send a query, such as `db.rows(…)`, and the row type that each of them declares. */
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast'
import { isArrowFunction, isPropertyAccessExpression } from 'typescript/unstable/ast/is'
import { type Type, TypeFlags } from 'typescript/unstable/sync'
import { type Sources, visit } from './sources.js'
import { spansOf } from './texts.js'

const METHODS = new Set(['rows', 'row', 'run', 'send', 'atEnd'])

export interface Query {
  call: CallExpression
  method: string
  /** The argument of the call that contains the SQL. */
  sql: Expression
}

const methodOf = ({ expression }: CallExpression): string =>
  isPropertyAccessExpression(expression) ? expression.name.text : ''

/** Whether a TypeScript type is `Sql`, or may be `Sql`. */
const isSqlType = (type: Type | undefined): boolean => {
  if (!type) return false
  if (type.isUnionType()) return type.getTypes().some(isSqlType)
  return type.isObjectType() && type.getSymbol()?.name === 'Sql'
}

export const createIsSql = (sources: Sources) => {
  const known = new Map<number, boolean>()
  return (node: Node): boolean => {
    const type = sources.typeOf(node)
    if (!type) return false
    const is = known.get(type.id) ?? isSqlType(type)
    known.set(type.id, is)
    return is
  }
}

/** Returns every call in the sources that sends a query, in the order of the sources. */
export const findQueries = (sources: Sources, isSql: (node: Node) => boolean): Query[] => {
  const candidates = sources.calls.filter((call) => METHODS.has(methodOf(call)) && call.arguments.length === 1)
  const argument = (call: CallExpression): Expression => {
    const first = call.arguments[0] as Expression
    return isArrowFunction(first) && methodOf(call) === 'atEnd' ? (first.body as Expression) : first
  }
  const files = new Set(candidates.map((call) => call.getSourceFile()))
  const wanted: Node[] = candidates.flatMap((call) => [argument(call), call])
  for (const file of files) visit(file, (node) => wanted.push(...spansOf(node)))
  sources.loadTypes(wanted)
  return candidates
    .map((call) => ({ call, method: methodOf(call), sql: argument(call) }))
    .filter(({ sql }) => isSql(sql))
}

/** Reason why the row type that a call declares cannot be checked; null if it can be checked. */
export const hiddenType = (type: Type): string | null => {
  if (type.flags & TypeFlags.Any) return 'has rows of the type any'
  return type.flags & TypeFlags.TypeParameter ? 'has a row type that its callers choose' : null
}

/** The TypeScript type that a call declares for one row; null if the call returns no rows. */
export const rowTypeOf = ({ call, method }: Query, { checker, typeOf }: Sources): Type | null => {
  if (method !== 'rows' && method !== 'row') return null
  const promise = typeOf(call)
  if (!promise?.isTypeReference()) return null
  const [result] = checker.getTypeArguments(promise)
  if (!result) return null
  if (method === 'rows') return result.isTypeReference() ? (checker.getTypeArguments(result)[0] ?? null) : null
  const members = result.isUnionType() ? result.getTypes() : [result]
  const rest = members.filter((one) => (one.flags & TypeFlags.Null) === 0)
  return (rest.length === 1 ? rest[0] : checker.getNonNullableType(result)) ?? null
}
