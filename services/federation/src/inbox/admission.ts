/** Checks of the inbox endpoint, in this order: size and shape, blocked servers, signature, and authority of the sender. */

import type { Activity, ActivityRefusal } from '@murmuration/activitypub/vocabulary/activity'
import { type JsonObject, prop, typesOf } from '@murmuration/activitypub/vocabulary/json'
import { parseDocument } from '@murmuration/activitypub/vocabulary/parse-document'
import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import { hostOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { accountRecords } from '@murmuration/contracts/accounts'
import { errorText, type Failure, fail, isId, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { authorizeSender, isOurs, type Refusal } from '../core/activity/authority.rules.js'
import { isGone } from '../core/actor/gone.store.js'
import { requireOpenHost } from '../core/host/hosts.js'
import { headerText, type Incoming, isSigned } from '../core/signature/incoming.js'
import { type Signer, signerOf } from '../core/signature/signer.js'
import { isStoredAddressOf, withPossibleAuthors } from './activities/author.js'
import { takeRelayed } from './activities/relay.js'
import { consultOrigin } from './consult-origin.js'
import { thirdPartyProofOf } from './proof.js'
import { isSenderFault, senderFault } from './sender-fault.rules.js'

/**
 * Result of the checks of an inbox request. An activity that is not `ok` gets 202 and has no effect, because its sender
 * cannot correct it.
 */
export type CheckedRequest =
  | { ok: true; activity: Activity; body: string; ownerId: string | null; signer: Signer }
  | {
      ok: false
      reason: string
      /**
       * Host of the actor that the activity claims. Host of the signer for a relayed status, and for a document that is no
       * activity for this server.
       */
      host: string | null
    }

const drop = (reason: string, actor: Uri): CheckedRequest => ({ ok: false, reason, host: hostOf(actor) })

/** The failure for an activity that its sender can correct. The failure's text names the reason. */
const refuse = (code: 'forbidden' | 'unprocessable', reason: Refusal | ActivityRefusal, by: Uri | null): Failure =>
  fail(code, errorText('The activity is not accepted: {reason}', { reason }), {
    cause: { reason, host: by && hostOf(by) },
  })

/** The failure for an activity that its sender may not send: 403, or 422 if the activity lacks a required id. */
const notAllowed = (reason: Refusal, by: Uri): Failure =>
  refuse(reason === 'needs-id' ? 'unprocessable' : 'forbidden', reason, by)

/**
 * Account id of the owner of a personal inbox; null for the shared inbox. Throws `not_found` for an unknown owner, and
 * `gone` for a deleted one.
 */
const inboxOwner = async (ctx: Context, request: Incoming): Promise<string | null> => {
  const [id, username] = [request.param('id'), request.param('username')]
  if (id === null && username === null) return null
  const isNumber = id !== null && isId(id)
  const { records } = isNumber
    ? await ctx.call(accountRecords, { ids: [id] })
    : await ctx.call(accountRecords, { handles: username ? [username.toLowerCase()] : [] })
  const [owner] = records
  if (owner !== undefined && owner.domain === null && (owner.usable || owner.suspended)) return owner.id
  throw isNumber && (await isGone(ctx.db, id)) ? fail('gone', 'Gone') : notFound()
}

const parse = (request: Incoming) => {
  const encoding = headerText(request, 'content-encoding')
  if (encoding !== '' && encoding !== 'identity') throw fail('invalid', 'The body must not be encoded', { status: 415 })
  const parsed = parseDocument(request.body)
  if (parsed.ok || parsed.reason === 'reshaped') return parsed
  throw parsed.reason === 'too-large'
    ? fail('too_large', 'The activity is too large', { cause: parsed })
    : fail('invalid', errorText('The body is {reason}', { reason: parsed.reason }), { cause: parsed })
}

/**
 * True for the Update or Delete of an actor that is not stored. Such an activity has no effect, so the actor's key is
 * not fetched.
 */
const isAboutUnknownActor = async (ctx: Context, activity: Activity): Promise<boolean> => {
  if (activity.type !== 'Delete' && activity.type !== 'Update') return false
  if (activity.object.id !== activity.actor) return false
  return (await ctx.call(accountRecords, { uris: [activity.actor] })).records.length === 0
}

/** An activity with its JSON text, and the actor of its valid third-party proof; null if there is none. */
interface Proved {
  readonly activity: Activity
  readonly body: string
  readonly proved: Uri | null
}

/**
 * The part of a document that is signed.
 *
 * | Case | Part |
 * |---|---|
 * | its actor signed the request | the document |
 * | without valid third-party proof | the document, `proved` is null |
 * | with third-party proof | the part that the proof covers |
 *
 * Returns a reason if the covered part is not an activity.
 */
const provedPart = async (
  ctx: Context,
  {
    document,
    activity,
    signer,
    request,
  }: { document: JsonObject; activity: Activity; signer: Signer; request: Incoming },
): Promise<Proved | string> => {
  const received = { activity, body: Buffer.from(request.body).toString('utf8'), proved: null }
  const isOwn = activity.actor === signer.owner
  const client = { from: request.ip, by: hostOf(signer.owner) }
  const proof =
    isOwn || isOurs(activity.actor, ctx.self.ownHosts) ? null : await thirdPartyProofOf(ctx, document, client)
  if (proof === null) return received
  if (proof.document === null) return { ...received, proved: proof.actor }
  const parsed = parseDocument(Buffer.from(proof.document, 'utf8'))
  const read = parsed.ok ? readActivity(parsed.document, ctx.self.ownHosts) : parsed
  return read.ok ? { activity: read.activity, body: proof.document, proved: proof.actor } : read.reason
}

/**
 * Admits a FeatureRequest without `actor` (FEP-7aa9): its actor is the signer of the request. Returns null if the
 * activity is of another type or has an `actor`.
 */
const requestBySigner = (ctx: Context, document: JsonObject, signer: Signer): CheckedRequest | null => {
  if (!typesOf(document).includes('FeatureRequest') || prop(document, 'actor') !== undefined) return null
  const named = { ...document, actor: signer.owner }
  const read = readActivity(named, ctx.self.ownHosts)
  if (!read.ok) throw refuse('unprocessable', read.reason, signer.owner)
  const { activity } = read
  const authorized = authorizeSender(activity, {
    signer: signer.owner,
    proved: null,
    suspended: false,
    ownHosts: ctx.self.ownHosts,
  })
  const fault = authorized.ok ? senderFault(activity, ctx.self.ownHosts) : authorized.reason
  if (fault !== null) throw notAllowed(fault, signer.owner)
  return { ok: true, activity, body: JSON.stringify(named), signer, ownerId: null }
}

/**
 * The activity of a document that names its actor by the profile page, with the id of the signer as actor; null for
 * other documents.
 */
const namedByPage = async (
  ctx: Context,
  { document, activity, signer }: { document: JsonObject; activity: Activity; signer: Signer },
): Promise<Proved | null> => {
  const { actor } = activity
  if (actor === signer.owner || !sameOrigin(actor, signer.owner)) return null
  if (!(await isStoredAddressOf(ctx, actor, { id: signer.accountId }))) return null
  const named = { ...document, actor: signer.owner }
  const read = readActivity(named, ctx.self.ownHosts)
  return read.ok ? { activity: read.activity, body: JSON.stringify(named), proved: null } : null
}

const isAddressed = ({ addressing }: Activity): boolean => addressing.to.length + addressing.cc.length > 0

/** Checks a request to an inbox. Throws the failure for the response if the sender can correct the activity. */
export const checkRequest = async (ctx: Context, request: Incoming): Promise<CheckedRequest> => {
  const parsed = parse(request)
  if (!parsed.ok) throw refuse('unprocessable', 'reshaped', null)
  const owner = await inboxOwner(ctx, request)
  const read = readActivity(parsed.document, ctx.self.ownHosts)
  if (read.ok) {
    requireOpenHost(ctx, hostOf(read.activity.actor) as string)
    if (isSigned(request) && (await isAboutUnknownActor(ctx, read.activity)))
      return drop('unknown-actor', read.activity.actor)
  }
  const signer = await signerOf(ctx, request, 'outside')
  if (!read.ok) {
    const checked = requestBySigner(ctx, parsed.document, signer)
    if (checked === null && isSenderFault(read.reason, parsed.document))
      throw refuse('unprocessable', read.reason, signer.owner)
    return checked ?? drop(read.reason, signer.owner)
  }
  const own = await namedByPage(ctx, { document: parsed.document, activity: read.activity, signer })
  // A status that a relay forwards is always fetched from its own server, so the forwarded copy needs no proof.
  if (own === null && read.activity.actor !== signer.owner && (await takeRelayed(ctx, read.activity, signer.owner)))
    return drop('relayed', signer.owner)
  const part = own ?? (await provedPart(ctx, { document: parsed.document, activity: read.activity, signer, request }))
  if (typeof part === 'string') return drop(part, read.activity.actor)
  const { activity, body, proved } = part
  const authorized = authorizeSender(activity, {
    signer: signer.owner,
    proved,
    suspended: false,
    ownHosts: ctx.self.ownHosts,
  })
  // An activity without addressing is for the owner of the inbox, if its actor signed the request.
  const isMeant = !isAddressed(activity) && activity.actor === signer.owner
  const isOwn = activity.actor === signer.owner
  const faultOf = async () =>
    senderFault(await withPossibleAuthors(ctx, activity, { id: signer.accountId }), ctx.self.ownHosts)
  const fault = isOwn ? (authorized.ok ? await faultOf() : authorized.reason) : null
  if (fault !== null) throw notAllowed(fault, activity.actor)
  if (authorized.ok) return { ok: true, activity, body, signer, ownerId: isMeant ? owner : null }
  if (authorized.reason !== 'actor-is-not-signer') return drop(authorized.reason, activity.actor)
  if (await consultOrigin(ctx, activity, signer.owner)) return drop('origin-is-asked', activity.actor)
  // An activity with a signature inside the document was probably forwarded. The forwarding server cannot correct that
  // signature, so it gets 202.
  if (prop(parsed.document, 'signature') !== undefined) return drop(authorized.reason, activity.actor)
  throw fail('unauthenticated', 'The signature is not by the actor', { cause: authorized })
}
