/** Finds the row of a media address of this server. */
import type { Context } from '../context.js'
import { readToken, SUBJECTS } from '../core/remote-file/proxy-token.rules.js'
import { addressOf, copyNameOf } from './rules.js'
import { type FileOwner, ownerOfCopy, ownerOfFile } from './store.js'

/** The row of the file with this address. Null if the address is not of this server, or no row refers to the file. */
export const lookUp = async (ctx: Context, url: string): Promise<FileOwner | null> => {
  const address = addressOf(url, { bases: ctx.files.bases(), proxy: ctx.addresses.proxied('') })
  if (address === null) return null
  if ('token' in address) {
    const token = readToken(ctx.addresses.secret, address.token)
    if (token === null) return null
    const isPicture = SUBJECTS[token.letter] === 'picture' || SUBJECTS[token.letter] === 'still'
    return ownerOfCopy(ctx.db, { kind: isPicture ? 'picture' : 'attachment', id: token.id })
  }
  const copy = copyNameOf(address.key)
  return copy === null ? ownerOfFile(ctx.db, address.key) : ownerOfCopy(ctx.db, copy)
}
