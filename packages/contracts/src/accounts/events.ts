/** Events about accounts and relationships between accounts. */
import { z } from 'zod'
import { anyOf, event, invalidation, knownOr } from '../kit/index.js'

const id = z.string()
const pair = z.object({
  id: z.string(),
  /** Account ids of the two accounts: the acting account (`from`) and its target (`to`). */
  from: id,
  to: id,
  fromLocal: z.boolean(),
  toLocal: z.boolean(),
  /** Id of the activity that created the relationship, sent by a local or a remote account. */
  uri: z.string().nullable(),
})

export const accountRegistered = event('accounts.account.registered', {
  data: z.object({ id }),
  about: 'A local account was created. Its address may still need confirmation, and the sign-up approval by staff.',
})
export const accountJoined = event('accounts.account.joined', {
  data: z.object({ id, /** True when staff approved the sign-up. */ approved: z.boolean() }),
  about: 'A local account became usable: its address is confirmed and, where required, staff approved it.',
})
/** Account flags of which other services keep copies for their queries. */
export const AuthorFlags = z.object({
  local: z.boolean(),
  silenced: z.boolean(),
  suspended: z.boolean(),
  sensitized: z.boolean(),
  discoverable: z.boolean(),
  indexable: z.boolean(),
  domain: z.string().nullable(),
})
export type AuthorFlags = z.infer<typeof AuthorFlags>
export const accountChanged = event('accounts.account.changed', {
  data: z.object({ id, flags: AuthorFlags, profile: z.boolean() }),
  about:
    'The profile or the moderation state of an account changed. `profile` is true when other servers should get an Update.',
})
export const remoteRead = event('accounts.account.read', {
  data: z.object({
    id,
    /** Address of the collection of featured hashtags of the account. */
    featuredTags: z.string().optional(),
    /** True if the actor had a collection of featured hashtags, and has none any longer. */
    noFeaturedTags: z.boolean().optional(),
    /** Set if a remote account sent an Update and has a collection of pinned statuses, or has none any longer. */
    pins: z.boolean().optional(),
  }),
  about:
    'The profile of a remote account was fetched, and its featured hashtags or pinned statuses are due for a fetch or removal.',
})
export const accountRebuilt = event('accounts.account.rebuilt', {
  data: z.object({ id }),
  about:
    'A remote account has new keys that none of its old keys announced: its server was set up anew. At most once in seven days.',
})
export const accountRemoved = event('accounts.account.removed', {
  data: z.object({
    id,
    local: z.boolean(),
    uri: z.string(),
    /** Domain of a remote account; null for local ones. Older releases leave the domain out. */
    domain: z.string().nullable().optional(),
  }),
  about: 'An account was deleted. Its statuses are deleted too.',
})
export const picturesReplaced = event('accounts.picture.replaced', {
  data: z.object({
    /** Id of the account whose pictures were replaced. */
    owner: id,
    pictures: z.array(z.object({ kind: anyOf(z.enum(['avatar', 'header'])), remote: z.string() })),
  }),
  about:
    'The avatar or header of a remote account was replaced or removed. The addresses are those of the old pictures.',
})
export const followCreated = event('accounts.follow.created', {
  data: pair.extend({ /** True when a follow request was accepted. */ accepted: z.boolean() }),
  about: 'An account follows another.',
})
export const followRemoved = event('accounts.follow.removed', {
  data: pair.extend({ /** True when the followed account ended the follow. */ byTarget: z.boolean() }),
  about: 'A follow ended.',
})
export const followRequested = event('accounts.follow-request.created', {
  data: pair,
  about:
    'An account requests to follow another. Also sent for each follow of a remote account until its server responds, and for a repeated request.',
})
export const followRequestRemoved = event('accounts.follow-request.removed', {
  data: pair.extend({ why: knownOr(z.enum(['accepted', 'rejected', 'withdrawn']), 'accepted') }),
  about: 'A follow request was accepted, rejected or withdrawn.',
})
export const blockCreated = event('accounts.block.created', {
  data: pair,
  about: 'An account blocks another. Follows in both directions ended.',
})
export const blockRemoved = event('accounts.block.removed', { data: pair, about: 'A block ended.' })
export const muteCreated = event('accounts.mute.created', {
  data: pair.extend({ notifications: z.boolean() }),
  about: 'An account mutes another.',
})
export const muteRemoved = event('accounts.mute.removed', { data: pair, about: 'A mute ended or expired.' })
export const domainBlocked = event('accounts.domain-block.created', {
  data: z.object({ id, domain: z.string() }),
  about: 'A user blocks a domain.',
})
export const tokenRevoked = event('accounts.token.revoked', {
  data: z.object({ tokenIds: z.array(z.string()), userId: z.string().nullable() }),
  about: 'Tokens were revoked. Their streams are closed and their push subscriptions deleted.',
})
export const preferencesChanged = event('accounts.preference.changed', {
  data: z.object({ id }),
  about: 'Reading or posting defaults changed.',
})
export const listChanged = event('accounts.list.changed', {
  data: z.object({ id, owner: z.string() }),
  about: 'Members or settings of a list changed. Its feed is rebuilt.',
})

export const collectionCreated = event('accounts.collection.created', {
  data: z.object({ id, owner: z.string(), discoverable: z.boolean() }),
  about: 'A local user created a collection.',
})
export const collectionChanged = event('accounts.collection.changed', {
  data: z.object({
    id,
    owner: z.string(),
    /** Ids of the local accounts in the collection, which are notified. */ accounts: z.array(z.string()),
    /** Whether the collection was discoverable before the change and is now. Absent for collections of other servers. */
    discoverable: z.object({ before: z.boolean(), after: z.boolean() }).optional(),
  }),
  about: 'The name, description or settings of a collection changed.',
})
export const collectionRemoved = event('accounts.collection.removed', {
  data: z.object({ id, owner: z.string(), discoverable: z.boolean().optional() }),
  about: 'A collection was deleted.',
})
const collectionItem = z.object({
  id,
  collection: z.string(),
  owner: z.string(),
  ownerLocal: z.boolean(),
  account: z.string(),
  accountLocal: z.boolean(),
  state: knownOr(z.enum(['pending', 'accepted', 'rejected', 'revoked']), 'revoked'),
  /** Address of the remote collection that a local account left; its server is informed. */
  left: z.string().optional(),
})
export const collectionItemAdded = event('accounts.collection-item.added', {
  data: collectionItem,
  about:
    'An account was added to a collection. A remote account is pending; the event is sent again when its server agrees.',
})
export const collectionItemRemoved = event('accounts.collection-item.removed', {
  data: collectionItem,
  about: 'The owner removed an account from a collection, or the account left it.',
})

export const accountMoved = event('accounts.account.moved', {
  data: z.object({ id, local: z.boolean(), uri: z.string(), target: z.string(), targetUri: z.string() }),
  about: 'An account moved to another account. Its local followers are being moved to that account.',
})

/** Cache invalidation message: cached account cards are outdated. The ids are account ids. */
export const accountInvalidation = invalidation('accounts.account', 'Ids of accounts whose cached cards are outdated.')
/** Cache invalidation message: only the number of statuses in cached account cards is outdated. It has its own name, because it is sent frequently. */
export const statusCountInvalidation = invalidation(
  'accounts.status-count',
  'Ids of accounts whose number of statuses in cached cards is outdated.',
)
/** Cache invalidation message: cached signing keys are outdated. The ids are account ids. */
export const keyInvalidation = invalidation('accounts.key', 'Ids of local accounts whose signing keys changed.')

/** Cache invalidation message: cached access tokens are outdated. The ids are token ids. */
export const tokenInvalidation = invalidation('accounts.token', 'Ids of outdated tokens.')
