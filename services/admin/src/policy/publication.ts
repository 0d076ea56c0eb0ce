/** Publishes the instance policy from PostgreSQL to the NATS bucket. An older state never replaces a newer one. */
import type { BucketPosition, PolicyBucket } from '@murmuration/bus'
import { AccessChunk, DomainChunk, PolicyHead } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import type { Database, Tx } from '@murmuration/db'
import type { BaseContext, Clock, Log } from '@murmuration/kernel'
import { everyCanonicalEmailBlock } from '../canonical-email-block/index.js'
import type { PolicyPublication } from '../core/change-policy.js'
import { allAllows } from '../core/domain-allow.store.js'
import { allBlocks } from '../core/domain-block.store.js'
import { currentRevision, lockRevision, setRevisionAbove } from '../core/policy-revision.store.js'
import { everyEmailDomainBlock } from '../email-domain-block/index.js'
import { everyIpBlock } from '../ip-block/index.js'
import { isWhole, publishedOf, settingRows } from '../setting/index.js'
import { everyUsernameBlock } from '../username-block/index.js'
import { HEAD, type PolicyState, policyEntries } from './rules.js'

const TRIES = 20
const PATIENCE_MS = 2_000

const readAccess = async (tx: Tx, now: Date): Promise<AccessChunk> => ({
  ips: (await everyIpBlock(tx, now)).map(({ ip, severity, expires_at }) => ({
    ip,
    severity,
    expires_at: expires_at?.toISOString() ?? null,
  })),
  email_domains: (await everyEmailDomainBlock(tx)).map(({ domain, allow_with_approval }) => ({
    domain,
    allow_with_approval,
  })),
  canonical_emails: (await everyCanonicalEmailBlock(tx)).map((row) => row.canonical_email_hash),
  usernames: (await everyUsernameBlock(tx)).map(({ username, exact, allow_with_approval }) => ({
    username,
    exact,
    allow_with_approval,
  })),
})

const readState = async (tx: Tx, now: Date): Promise<PolicyState> => {
  const revision = await lockRevision(tx)
  const [rows, blocks, allows, access] = [
    await settingRows(tx),
    await allBlocks(tx),
    await allAllows(tx),
    await readAccess(tx, now),
  ]
  return {
    revision,
    settings: publishedOf(rows),
    blocks,
    allows: allows.map((row) => row.domain),
    access,
  }
}

/** Value of a published entry; null for a missing one and for one that is not JSON. */
const jsonOf = (text: string | null) => {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The published head entry of the policy. `whole`: true if the entry contains all settings of this release. Null without
 * a valid head entry.
 */
const headOf = (text: string | null): (PolicyHead & { whole: boolean }) | null => {
  const value = jsonOf(text)
  const parsed = PolicyHead.safeParse(value)
  return parsed.success ? { ...parsed.data, whole: isWhole(value.settings) } : null
}

/** Whether all chunks that the head lists are published. Without one of them, no service that starts loads the policy. */
const hasChunks = async (bucket: PolicyBucket, { chunks, access = 0 }: PolicyHead): Promise<boolean> => {
  const keys = [
    ...Array.from({ length: chunks }, (_, i) => [`domains.${i}`, DomainChunk] as const),
    ...Array.from({ length: access }, (_, i) => [`access.${i}`, AccessChunk] as const),
  ]
  const found = await Promise.all(
    keys.map(async ([key, schema]) => schema.safeParse(jsonOf(await bucket.read(key))).success),
  )
  return found.every(Boolean)
}

const isSame = (a: BucketPosition, b: BucketPosition): boolean =>
  a.made === b.made && a.sequence === b.sequence && a.entries === b.entries

export const createPolicyPublication = (options: {
  db: Database
  bucket: PolicyBucket
  log: Log
  clock: Pick<Clock, 'sleep' | 'now'>
}): PolicyPublication => {
  const { db, bucket, log, clock } = options
  /** Last position at which the policy in the NATS bucket was complete, with the entries that this process wrote. */
  let known = { at: { made: '', sequence: -1, entries: -1 }, entries: new Map<string, string>() }

  /**
   * Makes one attempt to publish the policy. Returns false if another process has written to the bucket meanwhile. The
   * position of the bucket is read before the state of the database. Every entry is written only if the position is
   * unchanged. A newer publication has changed the position, so it is never overwritten.
   */
  const attempt = async (): Promise<boolean> => {
    const at = await bucket.position()
    const head = headOf(await bucket.read(HEAD))
    const revision = await currentRevision(db)
    if (head?.rev === revision && head.whole) {
      if (isSame(known.at, at)) return true
      if (await hasChunks(bucket, head)) {
        known = { at, entries: new Map() }
        return true
      }
      log.warn({ revision }, 'parts of the published policy are missing; it is published again')
    }
    if (head && BigInt(head.rev) > BigInt(revision)) {
      // The database was restored from an older copy. The state of the restored database is published with a higher
      // revision.
      log.warn({ published: head.rev, revision }, 'the published policy is ahead of the database; it is published anew')
      await setRevisionAbove(db, head.rev)
      return false
    }
    const entries = policyEntries(await db.tx((tx) => readState(tx, new Date(clock.now()))))
    const same = isSame(known.at, at) ? known.entries : new Map<string, string>()
    let { sequence } = at
    for (const [key, text] of entries) {
      if (same.get(key) === text) continue
      // Entries are written one after the other, because each entry is written only if it directly follows the previous
      // entry.
      const written = await bucket.write(key, text, sequence)
      if (written === null) return false
      sequence = written
    }
    const end = await bucket.position()
    if (end.made === at.made && end.sequence === sequence) known = { at: end, entries }
    return true
  }
  const run = async (): Promise<void> => {
    for (let tries = 1; tries <= TRIES; tries++) {
      if (await attempt()) return
      await clock.sleep(Math.random() * 20 * tries)
    }
    throw fail('unavailable', 'The policy could not be published', { retryAfter: 1 })
  }

  let running: Promise<void> | null = null
  let waiting: Promise<void> | null = null
  /**
   * Publishes the current policy. Calls during a publication share the next publication, which reads the database after
   * these calls.
   */
  const publish = (): Promise<void> => {
    if (running === null) {
      running = run().finally(() => {
        running = null
      })
      return running
    }
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = null
        return publish()
      })
    return waiting
  }
  return {
    publish,
    async afterChange() {
      const published = publish().catch((error) => log.warn({ error }, 'the policy is published later'))
      await Promise.race([published, clock.sleep(PATIENCE_MS)])
    },
  }
}

/**
 * Publishes the policy at the start and after each reconnection to NATS. Retries until a publication succeeds. Returns
 * a function that stops the retries.
 */
export const keepPublished = (
  publication: PolicyPublication,
  base: Pick<BaseContext, 'nc' | 'clock' | 'log'>,
): (() => void) => {
  let stopped = false
  const untilDone = async () => {
    for (let tries = 1; !stopped; tries++) {
      try {
        return await publication.publish()
      } catch (error) {
        if (tries % 20 === 0) base.log.warn({ error }, 'the policy is not published yet')
        await base.clock.sleep(Math.min(100 * tries, 2_000))
      }
    }
  }
  const watch = async () => {
    for await (const status of base.nc.status()) if (status.type === 'reconnect') untilDone()
  }
  untilDone()
  watch().catch(() => undefined)
  return () => {
    stopped = true
  }
}
