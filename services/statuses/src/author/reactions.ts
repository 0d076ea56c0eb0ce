/** Event handlers that keep stored data about authors consistent with their accounts. */
import {
  accountChanged,
  accountRebuilt,
  accountRemoved,
  postingDefaults,
  preferencesChanged,
  remoteRead,
} from '@murmuration/contracts/accounts'
import { domainAllowRemoved } from '@murmuration/contracts/admin'
import {
  eraseAuthor,
  fetchAuthorStatuses,
  removeAuthorTombstones,
  syncFeaturedTags,
} from '@murmuration/contracts/statuses'
import { processOnce } from '@murmuration/kernel'
import { changeAuthor, deleteAuthor, showApplication } from '../core/author/store.js'
import { setRemoteFeatured } from '../featured-tag/index.js'
import { react } from '../handlers.js'
import { endSuspension, putDelisted } from './store.js'

/** Stores the flags of an author that queries need, such as suspended. */
export const onAccountChanged = react(accountChanged, 'on-account-changed', async (ctx, e) => {
  await changeAuthor(ctx.db, e.id, e.flags, e.eventId)
  if (!e.flags.local && !e.flags.suspended) await endSuspension(ctx.db, e.id)
})

/** Hides the statuses of a removed account, and queues the job that deletes them. */
export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  await ctx.db.tx((tx) =>
    processOnce(tx, e, async () => {
      await deleteAuthor(tx, e.id, e.local)
      await endSuspension(tx, e.id)
      await ctx.queue(tx, eraseAuthor, { author: e.id })
    }),
  )
})

/** Queues the deletion of the author's tombstones, because a server that was set up again may reuse addresses. */
export const onAccountRebuilt = react(accountRebuilt, 'on-account-rebuilt', async (ctx, e) => {
  await ctx.db.tx((tx) =>
    processOnce(tx, e, () => ctx.queue(tx, removeAuthorTombstones, { author: e.id, before: e.at })),
  )
})

/**
 * Queues fetching the featured hashtags of a remote account whose profile was read, and its pins if it sent an Update.
 * Featured hashtags and pins of an account that no longer has their collection are removed.
 */
export const onAccountRead = react(remoteRead, 'on-account-read', async (ctx, e) => {
  await ctx.db.tx((tx) =>
    processOnce(tx, e, async () => {
      if (e.noFeaturedTags) await setRemoteFeatured(ctx, tx, e.id, () => [])
      if (e.featuredTags) await ctx.queue(tx, syncFeaturedTags, { account: e.id, url: e.featuredTags })
      if (e.pins) await ctx.queue(tx, fetchAuthorStatuses, { account: e.id, what: 'pins', reader: null })
    }),
  )
})

/** Stores whether statuses show the app that they were written with. */
export const onPreferenceChanged = react(preferencesChanged, 'on-preference-changed', async (ctx, { id }) => {
  const { show_application } = await ctx.call(postingDefaults, { id })
  await showApplication(ctx.db, id, show_application)
})

/**
 * Records that a domain was removed from the allow list. Statuses of its suspended authors are then erased like those
 * of a blocked domain.
 */
export const onDomainAllowRemoved = react(domainAllowRemoved, 'on-domain-allow-lifted', async (ctx, e) => {
  await ctx.db.tx((tx) => putDelisted(tx, e.domain, new Date(e.at)))
})
