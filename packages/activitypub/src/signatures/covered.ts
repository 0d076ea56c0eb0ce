/** Determines which header fields the verified signature of a request covers. */
import { parseCavageHeader } from './cavage-header.js'
import { headerOf, type SignedRequest } from './request.js'
import { parseDictionary } from './structured-fields.js'

/**
 * True if the signature of the request covers this header. If the request has several signatures, each must cover the
 * header.
 */
export const isCovered = ({ headers }: Pick<SignedRequest, 'headers'>, name: string): boolean => {
  const inputs = headerOf(headers, 'signature-input')
  if (inputs === undefined)
    return parseCavageHeader(headerOf(headers, 'signature') ?? '')?.headers?.includes(name) ?? false
  const members = [...(parseDictionary(inputs)?.values() ?? [])]
  const covers = (one: (typeof members)[number]) =>
    one.kind === 'list' && one.items.some(({ item }) => item.type === 'string' && item.value === name)
  return members.length > 0 && members.every(covers)
}
