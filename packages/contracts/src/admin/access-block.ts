/**
 * Operations with which operators manage access rules: IP addresses, e-mail domains, e-mail addresses and usernames.
 */
import { z } from 'zod'
import { AdminCanonicalEmailBlock, AdminIpBlock, IpBlockSeverity } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

const after = z.object({
  /** Value of `next` on the previous page; empty for the first page. */ after: z.string().max(255).default(''),
})
const pageWith = <S extends z.ZodType>(block: S) => z.object({ blocks: z.array(block), next: z.string().nullable() })

export const createIpBlockByOperator = operation('admin.ip-block.place', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** IP address, or a range in CIDR notation. */
    ip: z.string().max(100),
    severity: IpBlockSeverity,
    comment: z.string().max(2_000).default(''),
    /** Seconds from now until the block expires; null for no expiry. */
    expires_in: z.int().positive().max(3_153_600_000).nullable().default(null),
  }),
  output: AdminIpBlock,
  errors: ['unprocessable'],
  about: 'Blocks an IP range. A range with a block is refused.',
})
export const removeIpBlockByOperator = operation('admin.ip-block.lift', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ip: z.string().max(100) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Removes the block of an IP range.',
})
export const findIpBlocks = operation('admin.ip-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(AdminIpBlock),
  about: 'Blocked IP ranges by address, in pages.',
})

export const EmailDomainRule = z.object({
  id: z.string(),
  domain: z.string(),
  /** True: sign-ups with the e-mail domain are allowed but need approval by staff. */
  allow_with_approval: z.boolean(),
  created_at: z.string(),
})
export type EmailDomainRule = z.infer<typeof EmailDomainRule>

export const createEmailDomainBlockByOperator = operation('admin.email-domain-block.place', {
  viewer: internal(),
  class: 'write',
  input: z.object({ domain: z.string().max(2_000), allow_with_approval: z.boolean().default(false) }),
  output: EmailDomainRule,
  errors: ['unprocessable'],
  about: 'Blocks an e-mail domain and its subdomains.',
})
export const removeEmailDomainBlockByOperator = operation('admin.email-domain-block.lift', {
  viewer: internal(),
  class: 'write',
  input: z.object({ domain: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Removes the block of an e-mail domain.',
})
export const findEmailDomainBlocks = operation('admin.email-domain-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(EmailDomainRule),
  about: 'Blocked e-mail domains by name, in pages.',
})

/** E-mail address, or its hash as shown in the list of blocks. */
const email = z.object({ email: z.string().max(2_000) })
export const createCanonicalEmailBlockByOperator = operation('admin.canonical-email-block.place', {
  viewer: internal(),
  class: 'write',
  input: email,
  output: AdminCanonicalEmailBlock,
  errors: ['unprocessable'],
  about: 'Blocks an e-mail address in every spelling. Only its hash is stored.',
})
export const removeCanonicalEmailBlockByOperator = operation('admin.canonical-email-block.lift', {
  viewer: internal(),
  class: 'write',
  input: email,
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Removes the block of an e-mail address.',
})
export const findCanonicalEmailBlocks = operation('admin.canonical-email-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(AdminCanonicalEmailBlock),
  about: 'Hashes of blocked e-mail addresses, in pages.',
})

export const UsernameRule = z.object({
  id: z.string(),
  username: z.string(),
  /** True: only this username matches. False: every username that contains it matches. */
  exact: z.boolean(),
  /** True: sign-ups with the username are allowed but need approval by staff. */
  allow_with_approval: z.boolean(),
  created_at: z.string(),
})
export type UsernameRule = z.infer<typeof UsernameRule>

export const createUsernameBlockByOperator = operation('admin.username-block.place', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    username: z.string().max(2_000),
    exact: z.boolean().default(false),
    allow_with_approval: z.boolean().default(false),
  }),
  output: UsernameRule,
  errors: ['unprocessable'],
  about: 'Reserves a username, or every username that contains it.',
})
export const removeUsernameBlockByOperator = operation('admin.username-block.lift', {
  viewer: internal(),
  class: 'write',
  input: z.object({ username: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Removes the reservation of a username.',
})
export const findUsernameBlocks = operation('admin.username-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(UsernameRule),
  about: 'Reserved usernames, in pages.',
})
