/** Identifies the client that requests a document: an actor that signed the request, or an anonymous one. */
import { Failure, fail } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { type Incoming, isSigned } from './incoming.js'
import { type Signer, signerOf } from './signer.js'

/** The actor that signed the request; null for an anonymous client. */
export type Requester = Signer | null

/**
 * Returns the actor that signed a document request, or null. Throws `unauthenticated` if a required signature is
 * missing or wrong.
 *
 * | Mode | Signature |
 * |---|---|
 * | open | optional; a wrong signature, or one with an unknown key, counts as none |
 * | AUTHORIZED_FETCH | required and valid |
 */
export const requesterOf = async (ctx: Context, request: Incoming): Promise<Requester> => {
  if (ctx.self.secure) {
    if (!isSigned(request)) throw fail('unauthenticated', 'Request not signed')
    return signerOf(ctx, request, 'outside')
  }
  if (!isSigned(request)) return null
  try {
    return await signerOf(ctx, request, 'known')
  } catch (error) {
    if (error instanceof Failure && (error.code === 'unauthenticated' || error.code === 'invalid')) return null
    throw error
  }
}
