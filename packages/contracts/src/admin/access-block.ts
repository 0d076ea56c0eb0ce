/** Access rules as operators manage them: IP addresses, e-mail domains, e-mail addresses and usernames. */
import { z } from 'zod'
import { AdminCanonicalEmailBlock, AdminIpBlock, IpBlockSeverity } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

const after = z.object({
  /** `next` of the previous page; empty for the first. */ after: z.string().max(255).default(''),
})
const pageWith = <S extends z.ZodType>(block: S) => z.object({ blocks: z.array(block), next: z.string().nullable() })

export const ipBlockPlace = operation('admin.ip-block.place', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** IP address, or a range in CIDR notation. */
    ip: z.string().max(100),
    severity: IpBlockSeverity,
    comment: z.string().max(2_000).default(''),
    /** Seconds from now; null for no expiry. */
    expires_in: z.int().positive().max(3_153_600_000).nullable().default(null),
  }),
  output: AdminIpBlock,
  errors: ['unprocessable'],
  about: 'An operator blocks a range of addresses; each range once.',
})
export const ipBlockLift = operation('admin.ip-block.lift', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ip: z.string().max(100) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'An operator no longer blocks a range of addresses.',
})
export const ipBlockFind = operation('admin.ip-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(AdminIpBlock),
  about: 'All blocked ranges by address, for operators; `next` is the `after` of the next page.',
})

export const EmailDomainRule = z.object({
  id: z.string(),
  domain: z.string(),
  /** True: sign-ups are allowed but need approval by staff. */
  allow_with_approval: z.boolean(),
  created_at: z.string(),
})
export type EmailDomainRule = z.infer<typeof EmailDomainRule>

export const emailDomainBlockPlace = operation('admin.email-domain-block.place', {
  viewer: internal(),
  class: 'write',
  input: z.object({ domain: z.string().max(2_000), allow_with_approval: z.boolean().default(false) }),
  output: EmailDomainRule,
  errors: ['unprocessable'],
  about: 'An operator blocks an e-mail provider and everything below its domain.',
})
export const emailDomainBlockLift = operation('admin.email-domain-block.lift', {
  viewer: internal(),
  class: 'write',
  input: z.object({ domain: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'An operator no longer blocks an e-mail provider.',
})
export const emailDomainBlockFind = operation('admin.email-domain-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(EmailDomainRule),
  about: 'All blocked e-mail providers by domain, for operators.',
})

/** E-mail address, or its hash as shown in the list of blocks. */
const email = z.object({ email: z.string().max(2_000) })
export const canonicalEmailBlockPlace = operation('admin.canonical-email-block.place', {
  viewer: internal(),
  class: 'write',
  input: email,
  output: AdminCanonicalEmailBlock,
  errors: ['unprocessable'],
  about: 'An operator blocks an e-mail address however its owner may write it; only its hash is kept.',
})
export const canonicalEmailBlockLift = operation('admin.canonical-email-block.lift', {
  viewer: internal(),
  class: 'write',
  input: email,
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'An operator no longer blocks an e-mail address.',
})
export const canonicalEmailBlockFind = operation('admin.canonical-email-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(AdminCanonicalEmailBlock),
  about: 'The hashes of all blocked e-mail addresses, for operators.',
})

export const UsernameRule = z.object({
  id: z.string(),
  username: z.string(),
  /** False matches any name that contains it. */
  exact: z.boolean(),
  /** True: sign-ups with the name are allowed but need approval by staff. */
  allow_with_approval: z.boolean(),
  created_at: z.string(),
})
export type UsernameRule = z.infer<typeof UsernameRule>

export const usernameBlockPlace = operation('admin.username-block.place', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    username: z.string().max(2_000),
    exact: z.boolean().default(false),
    allow_with_approval: z.boolean().default(false),
  }),
  output: UsernameRule,
  errors: ['unprocessable'],
  about: 'An operator reserves a user name, or every name that contains it.',
})
export const usernameBlockLift = operation('admin.username-block.lift', {
  viewer: internal(),
  class: 'write',
  input: z.object({ username: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'An operator no longer reserves a user name.',
})
export const usernameBlockFind = operation('admin.username-block.find', {
  viewer: internal(),
  class: 'admin',
  input: after,
  output: pageWith(UsernameRule),
  about: 'All reserved user names, for operators.',
})
