/** Domain blocks as API entities, for staff and for the public list. */
import type { AdminDomainAllow, AdminDomainBlock, DomainBlock } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { DomainAllowRow } from '../core/domain-allow.store.js'
import type { DomainBlockRow } from '../core/domain-block.store.js'
import { digestOf, obfuscated } from '../core/domain-name.rules.js'

export const adminBlockOf = (row: DomainBlockRow): AdminDomainBlock => ({
  id: row.id,
  domain: row.domain,
  digest: digestOf(row.domain),
  created_at: row.created_at.toISOString(),
  severity: row.severity,
  reject_media: row.reject_media,
  reject_reports: row.reject_reports,
  private_comment: row.private_comment,
  public_comment: row.public_comment,
  obfuscate: row.obfuscate,
})

export const adminBlock = (row: DomainBlockRow): Json<AdminDomainBlock> => toJson(adminBlockOf(row))

/** A domain block as entry of the public list. `withReason` includes the public comment. */
export const publicBlockOf = (row: DomainBlockRow, withReason: boolean): DomainBlock => ({
  domain: row.obfuscate ? obfuscated(row.domain) : row.domain,
  digest: digestOf(row.domain),
  severity: row.severity === 'suspend' ? 'suspend' : 'silence',
  ...(withReason ? { comment: row.public_comment } : {}),
})

export const adminAllowOf = (row: DomainAllowRow): AdminDomainAllow => ({
  id: row.id,
  domain: row.domain,
  created_at: row.created_at.toISOString(),
})

export const adminAllow = (row: DomainAllowRow): Json<AdminDomainAllow> => toJson(adminAllowOf(row))
