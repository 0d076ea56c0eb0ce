/** Schemas of blocks and allows of the server: domains, e-mail domains, e-mail addresses, IP addresses. */
import { z } from 'zod'
import { Id, Timestamp } from './primitive.js'
import { UsageDay } from './tag.js'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const DomainBlockSeverity = z
  .enum(['silence', 'suspend', 'noop'])
  .meta({ id: 'DomainBlockSeverity', description: 'Severity of a domain block.' })
export type DomainBlockSeverity = z.infer<typeof DomainBlockSeverity>

/** A domain block for staff. `digest` is the SHA-256 of the domain in hexadecimal. */
export const AdminDomainBlock = z
  .strictObject({
    id: Id,
    domain: z.string().min(1),
    digest: sha256,
    created_at: Timestamp,
    severity: DomainBlockSeverity,
    reject_media: z.boolean(),
    reject_reports: z.boolean(),
    private_comment: z.string().nullable(),
    public_comment: z.string().nullable(),
    obfuscate: z.boolean(),
  })
  .meta({ id: 'AdminDomainBlock', description: 'A block of another server.' })
export type AdminDomainBlock = z.infer<typeof AdminDomainBlock>

export const AdminDomainAllow = z
  .strictObject({ id: Id, domain: z.string().min(1), created_at: Timestamp })
  .meta({ id: 'AdminDomainAllow', description: 'A server allowed under limited federation.' })
export type AdminDomainAllow = z.infer<typeof AdminDomainAllow>

/** An e-mail domain block. `history` counts the sign-ups of the last seven days that it refused. */
export const AdminEmailDomainBlock = z
  .strictObject({
    id: Id,
    domain: z.string().min(1),
    created_at: Timestamp,
    allow_with_approval: z.boolean(),
    history: z.array(UsageDay).max(7),
  })
  .meta({ id: 'AdminEmailDomainBlock', description: 'A blocked e-mail domain.' })
export type AdminEmailDomainBlock = z.infer<typeof AdminEmailDomainBlock>

export const IpBlockSeverity = z
  .enum(['sign_up_requires_approval', 'sign_up_block', 'no_access'])
  .meta({ id: 'IpBlockSeverity', description: 'Severity of an IP block.' })
export type IpBlockSeverity = z.infer<typeof IpBlockSeverity>

/** An IP block for staff. `ip` always has a prefix length. `expires_at` is null without expiry. */
export const AdminIpBlock = z
  .strictObject({
    id: Id,
    ip: z.union([z.cidrv4(), z.cidrv6()]),
    severity: IpBlockSeverity,
    comment: z.string(),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
  })
  .meta({ id: 'AdminIpBlock', description: 'A blocked range of IP addresses.' })
export type AdminIpBlock = z.infer<typeof AdminIpBlock>

/** Hash of an e-mail address: SHA-256 of its canonical form, in hexadecimal. */
export const AdminCanonicalEmailBlock = z
  .strictObject({ id: Id, canonical_email_hash: sha256 })
  .meta({ id: 'AdminCanonicalEmailBlock', description: 'A blocked e-mail address.' })
export type AdminCanonicalEmailBlock = z.infer<typeof AdminCanonicalEmailBlock>
