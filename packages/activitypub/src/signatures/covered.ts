/** Which header fields a signature covers, of a request whose signature was verified. */
import { parseCavageHeader } from './cavage-header.js'
import { headerOf, type SignedRequest } from './request.js'
import { parseDictionary } from './structured-fields.js'

/** True when this header is part of what was signed; with several signatures, of each of them. */
export const isCovered = ({ headers }: Pick<SignedRequest, 'headers'>, name: string): boolean => {
  const inputs = headerOf(headers, 'signature-input')
  if (inputs === undefined)
    return parseCavageHeader(headerOf(headers, 'signature') ?? '')?.headers?.includes(name) ?? false
  const members = [...(parseDictionary(inputs)?.values() ?? [])]
  const covers = (one: (typeof members)[number]) =>
    one.kind === 'list' && one.items.some(({ item }) => item.type === 'string' && item.value === name)
  return members.length > 0 && members.every(covers)
}
