/**
 * Creates and changes domain blocks: validates them, stores the rows, announces the changes, and adds audit log
 * entries.
 */
import { errorText, fail, invalidField, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import {
  countDomains,
  type DomainBlockRow,
  insertBlocks,
  strictestOf,
  updateBlock,
} from '../core/domain-block.store.js'
import { commentOf, conflictOf, otherDomain, severityOf, withParents } from '../core/domain-name.rules.js'
import { MAX_DOMAINS } from '../core/policy-size.rules.js'
import { recordBlockChanges } from './change.js'
import { adminBlockOf } from './view.js'

/** Requested values of a block. Values that are absent stay unchanged; a new block uses the defaults. */
export interface WantedBlock {
  severity?: string | null | undefined
  reject_media?: boolean | null | undefined
  reject_reports?: boolean | null | undefined
  private_comment?: string | null | undefined
  public_comment?: string | null | undefined
  obfuscate?: boolean | null | undefined
}

/** The row of a new domain block. Throws for an invalid domain, severity or comment. */
export const newBlock = (
  ctx: Pick<Context, 'ids' | 'clock' | 'site'>,
  domain: string | null | undefined,
  wanted: WantedBlock,
): DomainBlockRow => ({
  id: ctx.ids.next(),
  domain: otherDomain(domain, ctx.site.handleDomains),
  severity: severityOf(wanted.severity ?? 'silence'),
  reject_media: wanted.reject_media ?? false,
  reject_reports: wanted.reject_reports ?? false,
  private_comment: commentOf('Private comment', wanted.private_comment ?? null),
  public_comment: commentOf('Public comment', wanted.public_comment ?? null),
  obfuscate: wanted.obfuscate ?? false,
  created_at: ctx.clock.date(),
})

/** Throws if `more` further domains would exceed the maximum number of domains in the published policy. */
export const checkSpaceFor = async (tx: Tx, more: number): Promise<void> => {
  if ((await countDomains(tx)) + more > MAX_DOMAINS)
    throw invalidField(errorText('Domain is one too many (maximum is {most})', { most: MAX_DOMAINS }))
}

/** Creates a block. Throws if a conflicting block exists. The transaction must have the lock of policy writers. */
export const insertDomainBlock = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  row: DomainBlockRow,
): Promise<void> => {
  const existing = conflictOf(row, await strictestOf(tx, withParents(row.domain)))
  if (existing)
    throw fail(
      'unprocessable',
      errorText('You have already imposed stricter limits on {domain}.', { domain: existing.domain }),
      {
        body: { existing_domain_block: adminBlockOf(existing) },
      },
    )
  await checkSpaceFor(tx, 1)
  await insertBlocks(tx, [row])
  await recordBlockChanges(ctx, tx, by, [{ before: null, after: row }])
}

/**
 * Stores and announces the new values of a domain block, and adds an audit log entry. Queues the job that applies the
 * block to the accounts of the domain.
 */
export const changeBlock = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  before: DomainBlockRow,
  wanted: WantedBlock,
): Promise<DomainBlockRow> => {
  const { severity, private_comment, public_comment } = wanted
  const after = {
    ...before,
    severity: severityOf(severity === undefined ? before.severity : (severity ?? '')),
    reject_media: wanted.reject_media ?? before.reject_media,
    reject_reports: wanted.reject_reports ?? before.reject_reports,
    private_comment:
      private_comment === undefined ? before.private_comment : commentOf('Private comment', private_comment),
    public_comment: public_comment === undefined ? before.public_comment : commentOf('Public comment', public_comment),
    obfuscate: wanted.obfuscate ?? before.obfuscate,
  }
  await updateBlock(tx, after)
  await recordBlockChanges(ctx, tx, by, [{ before, after }])
  return after
}
