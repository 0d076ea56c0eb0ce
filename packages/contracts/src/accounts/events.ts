/** Events about accounts and relationships between accounts. */
import { z } from 'zod'
import { event, hint } from '../kit/index.js'

const id = z.string()
const pair = z.object({
  id: z.string(),
  /** Account ids: the acting account and its target. */
  from: id,
  to: id,
  fromLocal: z.boolean(),
  toLocal: z.boolean(),
  /** Activity id of the relationship, local or remote. */
  uri: z.string().nullable(),
})

export const accountRegistered = event('accounts.account.registered', {
  data: z.object({ id }),
  about: 'A local account was created; its owner may still have to confirm the address, and staff to approve it.',
})
export const accountJoined = event('accounts.account.joined', {
  data: z.object({ id, /** True when staff approved the sign-up. */ approved: z.boolean() }),
  about: 'A person of this server confirmed their address and was let in: from now on they may act and be seen.',
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
  about: 'A profile or standing changed; `profile` when other servers should hear of it.',
})
export const remoteRead = event('accounts.account.read', {
  data: z.object({
    id,
    /** Address of the collection of featured hashtags. */
    featuredTags: z.string().optional(),
    /** The remote account sent an Update and has a collection of pinned statuses. */
    pins: z.boolean().optional(),
  }),
  about: 'The profile of a remote account was read, and its featured hashtags or pinned statuses are due.',
})
export const accountRebuilt = event('accounts.account.rebuilt', {
  data: z.object({ id }),
  about:
    'A remote account has all other keys than before, not announced with one of those: its server began again. At most once in seven days.',
})
export const accountRemoved = event('accounts.account.removed', {
  data: z.object({
    id,
    local: z.boolean(),
    uri: z.string(),
    /** Domain of a remote account; null for local ones. Older releases leave it out. */
    domain: z.string().nullable().optional(),
  }),
  about: 'An account is gone for good; what it wrote goes too.',
})
export const picturesReplaced = event('accounts.picture.replaced', {
  data: z.object({
    /** Account id. */
    owner: id,
    pictures: z.array(z.object({ kind: z.enum(['avatar', 'header']), remote: z.string() })),
  }),
  about: 'A remote account has another avatar or header, or none. The addresses are those of the old ones.',
})
export const followCreated = event('accounts.follow.created', {
  data: pair.extend({ /** True when a follow request was accepted. */ accepted: z.boolean() }),
  about: 'Somebody follows somebody.',
})
export const followRemoved = event('accounts.follow.removed', {
  data: pair.extend({ /** True when the followed account ended it. */ byTarget: z.boolean() }),
  about: 'A follow ended.',
})
export const followRequested = event('accounts.follow-request.created', {
  data: pair,
  about:
    'Somebody asks to follow; also every follow of a remote account until its server answers, and when it is said anew.',
})
export const followRequestRemoved = event('accounts.follow-request.removed', {
  data: pair.extend({ why: z.enum(['accepted', 'rejected', 'withdrawn']) }),
  about: 'A request was answered or withdrawn.',
})
export const blockCreated = event('accounts.block.created', {
  data: pair,
  about: 'Somebody blocks somebody; follows both ways are gone.',
})
export const blockRemoved = event('accounts.block.removed', { data: pair, about: 'A block was lifted.' })
export const muteCreated = event('accounts.mute.created', {
  data: pair.extend({ notifications: z.boolean() }),
  about: 'Somebody mutes somebody.',
})
export const muteRemoved = event('accounts.mute.removed', { data: pair, about: 'A mute was lifted or ran out.' })
export const domainBlocked = event('accounts.domain-block.created', {
  data: z.object({ id, domain: z.string() }),
  about: 'A person blocks a whole domain.',
})
export const tokenRevoked = event('accounts.token.revoked', {
  data: z.object({ tokenIds: z.array(z.string()), userId: z.string().nullable() }),
  about: 'Tokens died; streams close and push subscriptions go.',
})
export const preferencesChanged = event('accounts.preference.changed', {
  data: z.object({ id }),
  about: 'Reading or posting defaults changed.',
})
export const listChanged = event('accounts.list.changed', {
  data: z.object({ id, owner: z.string() }),
  about: 'Members or rules of a list changed; its feed is made anew.',
})

export const collectionCreated = event('accounts.collection.created', {
  data: z.object({ id, owner: z.string(), discoverable: z.boolean() }),
  about: 'Somebody here made a collection.',
})
export const collectionChanged = event('accounts.collection.changed', {
  data: z.object({
    id,
    owner: z.string(),
    /** Local accounts in the collection; they get notifications. */ accounts: z.array(z.string()),
    /** Discoverability before and after; absent for collections of other servers. */
    discoverable: z.object({ before: z.boolean(), after: z.boolean() }).optional(),
  }),
  about: 'What a collection says of itself changed.',
})
export const collectionRemoved = event('accounts.collection.removed', {
  data: z.object({ id, owner: z.string(), discoverable: z.boolean().optional() }),
  about: 'A collection is gone.',
})
const collectionItem = z.object({
  id,
  collection: z.string(),
  owner: z.string(),
  ownerLocal: z.boolean(),
  account: z.string(),
  accountLocal: z.boolean(),
  state: z.enum(['pending', 'accepted', 'rejected', 'revoked']),
  /** Address of the remote collection that a local account left; its server is informed. */
  left: z.string().optional(),
})
export const collectionItemAdded = event('accounts.collection-item.added', {
  data: collectionItem,
  about:
    'An account was put into a collection; pending until the server of that account agrees, and once more when it does.',
})
export const collectionItemRemoved = event('accounts.collection-item.removed', {
  data: collectionItem,
  about: 'An account was removed from a collection by its owner, or revoked its place.',
})

export const accountMoved = event('accounts.account.moved', {
  data: z.object({ id, local: z.boolean(), uri: z.string(), target: z.string(), targetUri: z.string() }),
  about: 'An account lives elsewhere now; its local followers are being carried over.',
})

/** Cached account cards are outdated. */
export const accountHint = hint('accounts.account', 'Account cards to forget.')
/** Cached account cards are outdated in their number of statuses only. Sent separately, because it is frequent. */
export const statusCountHint = hint(
  'accounts.status-count',
  'Account cards to forget because of their number of statuses.',
)
/** Cached tokens are outdated. The ids are token ids. */
export const keyHint = hint('accounts.key', 'Signing keys of local accounts changed.')
export const tokenHint = hint('accounts.token', 'Tokens to forget.')
