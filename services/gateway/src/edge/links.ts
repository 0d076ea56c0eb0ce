/** The Link header of a list: the request's own address with the kept parameters and the cursor (pagination.md 3). */
import type { Answer } from '@murmuration/bus'
import type { AnyOperation } from '@murmuration/contracts/kit'
import qs from 'qs'

const address = (base: string, kept: Record<string, unknown>, cursor: Record<string, string>): string =>
  `${base}?${qs.stringify({ ...kept, ...cursor }, { arrayFormat: 'brackets', encodeValuesOnly: true })}`

/** Null when there is neither a next nor a previous page. */
export const linkHeader = (
  operation: AnyOperation,
  base: string,
  given: Record<string, unknown>,
  meta: Answer['meta'],
): string | null => {
  const { output } = operation
  if (output.kind !== 'page' || (!meta.next && !meta.prev)) return null
  const kept = Object.fromEntries(
    output.keeps.filter((name: string) => given[name] !== undefined).map((name: string) => [name, given[name]]),
  )
  return [
    meta.next && `<${address(base, kept, meta.next)}>; rel="next"`,
    meta.prev && `<${address(base, kept, meta.prev)}>; rel="prev"`,
  ]
    .filter(Boolean)
    .join(', ')
}
