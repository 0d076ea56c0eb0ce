/**
 * Changes the profile and posting defaults of a local account. Accepts follow requests if the account is no longer
 * locked, and announces the change.
 */
import {
  acceptRequestsJob,
  accountChanged,
  accountInvalidation,
  preferencesChanged,
  verifyLinksJob,
} from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { putNames } from '../core/account/name.store.js'
import { flagsOf } from '../core/account/record.js'
import { type AccountRow, accountById } from '../core/account/store.js'
import { linksToProve } from '../core/account/verified-link.rules.js'
import { lockAccount } from '../core/lock.store.js'
import { type PostingChange, updatePosting } from '../core/preference/store.js'
import { ACCEPT_PAGE, acceptRequests } from '../follow/index.js'
import { releasePictures } from './picture.js'
import { lockPictures, lockProfile, type ProfileChange, type ProfileTexts, updateProfile } from './store.js'

const says = (change: object): boolean => Object.values(change).some((value) => value !== undefined)

/** `texts`: returns the texts to store for the locked row of the account. */
export const changeProfile = (
  ctx: Pick<Context, 'db' | 'announce' | 'queue' | 'invalidations' | 'ids' | 'clock'>,
  id: string,
  given: ProfileChange,
  posting: PostingChange = {},
  texts?: (before: AccountRow) => ProfileTexts,
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    // If follows no longer need approval (`locked` false), a lock on all relationships of the account is taken. It prevents new requests
    // between the change and the acceptance of the existing ones (F059).
    if (given.locked === false) await lockAccount(tx, id)
    await lockProfile(tx, id)
    const before = await accountById(tx, id)
    if (!before) throw notFound()
    const profile = { ...given, ...texts?.(before) }
    if (says(profile)) {
      const hasPictures = profile.avatar !== undefined || profile.header !== undefined
      const old = hasPictures ? await lockPictures(tx, id) : []
      await updateProfile(tx, id, profile)
      await releasePictures(ctx, tx, id, old)
    }
    if (says(posting)) {
      await updatePosting(tx, id, posting)
      await ctx.announce(tx, preferencesChanged, { id })
    }
    if (before.locked && profile.locked === false) {
      const accepted = await acceptRequests(ctx, tx, id, { oldest: ACCEPT_PAGE })
      if (accepted.length === ACCEPT_PAGE) await ctx.queue(tx, acceptRequestsJob, { target: id })
    }
    if (!says(profile)) return
    const after = await accountById(tx, id)
    if (!after) return
    if (profile.displayName !== undefined) await putNames(tx, [after])
    await ctx.announce(tx, accountChanged, { id, flags: flagsOf(after), profile: true })
    if (linksToProve(after.fields, true).length) await ctx.queue(tx, verifyLinksJob, { account: id })
    tx.onCommit(() => ctx.invalidations.send(accountInvalidation, [id]))
  })
