/** Reads an approval of a quote from its own address and says whether it is good. */
import { stampFault } from '../../domain/quote-stamp.js'
import { readStamp } from '../../vocabulary/read-quote.js'
import { readUri } from '../../vocabulary/uri.js'
import type { Place } from './actor.js'
import { readDocument } from './document.js'
import { type Failed, failed } from './reader.js'

export const proveStamp = async (
  place: Place,
  it: { stamp: string; status: string; quoted: string; quotedAuthor: string },
): Promise<{ ok: true } | Failed> => {
  const [uri, status, quoted, quotedAuthor] = [it.stamp, it.status, it.quoted, it.quotedAuthor].map(readUri)
  if (!uri || !status || !quoted || !quotedAuthor) return failed('refused')
  const read = await readDocument(place.reader, uri, { kind: 'object', ownHosts: place.self.ownHosts, exact: true })
  if (!read.ok) return read
  const stamp = readStamp(read.document)
  const isGood = stamp !== null && stampFault(stamp, { uri: read.uri, status, quoted, quotedAuthor }) === null
  return isGood ? { ok: true } : failed('refused')
}
