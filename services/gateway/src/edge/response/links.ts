/**
 * Builds the Link header of a list (RFC 8288). Its URLs consist of the path of the request, those of its parameters
 * that the output keeps, and a cursor.
 */
import type { RpcResponse } from '@murmuration/bus'
import type { AnyOperation } from '@murmuration/contracts/kit'
import qs from 'qs'

/** Characters that would end a URL in the Link header. */
const BREAKING = /[<>"\\^`{|}\s]/g

const pairs = (kept: Readonly<Record<string, unknown>>): string => {
  let text = ''
  for (const [name, value] of Object.entries(kept))
    if (value !== undefined)
      text +=
        typeof value === 'object'
          ? `&${qs.stringify({ [name]: value }, { arrayFormat: 'brackets', encodeValuesOnly: true })}`
          : `&${name}=${encodeURIComponent(String(value))}`
  return text
}

/** Value of the Link header. Null for operations that are not lists, and if there is neither a next nor a previous page. */
export const linkHeader = (
  operation: AnyOperation,
  { origin, path }: { origin: string; path: string },
  given: Readonly<Record<string, unknown>>,
  { next, prev }: Pick<RpcResponse['meta'], 'next' | 'prev'>,
): string | null => {
  const { output } = operation
  const keeps: readonly string[] | undefined =
    output.kind === 'page' || output.kind === 'json' ? output.keeps : undefined
  if (!keeps || (!next && !prev)) return null
  const kept: Record<string, unknown> = {}
  for (const name of keeps) kept[name] = given[name]
  const base = origin + path.replace(BREAKING, encodeURIComponent)
  const link = (cursor: Record<string, string>, rel: string) =>
    `<${base}?${pairs({ ...kept, ...cursor }).slice(1)}>; rel="${rel}"`
  return [...(next ? [link(next, 'next')] : []), ...(prev ? [link(prev, 'prev')] : [])].join(', ')
}
