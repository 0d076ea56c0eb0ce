/** Filters of staff's account list, and checks of approval, rejection and deletion. */
import { AccountOrigin, AccountStatus, type AdminRecord, type ModeratedFilter } from '@murmuration/contracts/accounts'
import type { listAccountsForStaff, listAccountsForStaffV1 } from '@murmuration/contracts/admin'
import { errorText, fail, type Page, type Viewer } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import { normaliseDomain } from '@murmuration/text'
import type { z } from 'zod'
import type { AccountDecision } from './store.js'

type Older = z.output<(typeof listAccountsForStaffV1)['input']>
type Newer = Omit<z.output<(typeof listAccountsForStaff)['input']>, keyof Page>

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined

const searchOf = (input: Older | Newer): ModeratedFilter => ({
  username: given(input.username),
  display_name: given(input.display_name),
  domain: input.by_domain ? (normaliseDomain(input.by_domain) ?? input.by_domain) : undefined,
  email: given(input.email),
  ip: given(input.ip),
})

/** Status flags of API v1. If a request sets several flags, the last flag in this order counts. */
const FLAGS = ['active', 'pending', 'disabled', 'sensitized', 'silenced', 'suspended'] as const

/** Filter of API v1: active local accounts, unless a flag selects other accounts. */
export const filterOfV1 = (input: Older): ModeratedFilter => ({
  ...searchOf(input),
  // A filter by domain already selects remote accounts only.
  origin: input.remote ? (input.by_domain ? undefined : 'remote') : 'local',
  status: FLAGS.findLast((flag) => input[flag]) ?? 'active',
  staff: input.staff,
  ids: input.ids,
})

const oneOf = <T extends string>(schema: z.ZodEnum<Record<string, T>>, name: string, value: string): T => {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw fail('invalid', errorText('Unknown {name}: {value}', { name, value }))
  return parsed.data as T
}

/** Filter of API v2. Throws 400 for an unknown origin or status. */
export const filterOfV2 = (input: Newer): ModeratedFilter => {
  const origin = input.origin ? oneOf(AccountOrigin, 'origin', input.origin) : undefined
  return {
    ...searchOf(input),
    origin: origin === 'remote' && input.by_domain ? undefined : origin,
    status: input.status ? oneOf(AccountStatus, 'status', input.status) : undefined,
    staff: input.permissions === 'staff',
    // An empty list of roles does not restrict the accounts. A text that is no id matches no account.
    role_ids: input.role_ids?.length ? input.role_ids.filter((id) => /^-?\d{1,18}$/.test(id)) : undefined,
    invited_by: input.invited_by,
  }
}

const refused = () => fail('forbidden', 'This action is not allowed')

/**
 * Throws 403 unless the state of the account permits the action, and the account has a lower rank than the actor.
 * Operators outrank all accounts.
 */
export const checkDecision = (
  actor: Pick<Viewer, 'position'> | null,
  decision: AccountDecision,
  target: AdminRecord,
): void => {
  const isDue = target.suspended_locally || actor === null
  const isReady = decision === 'delete' ? isDue : target.account.approved === false
  if (!isReady || (actor !== null && !overrides(actor.position, target.position))) throw refused()
}

/** Name of the decision's action in the audit log. */
export const auditNameOf = (decision: AccountDecision) =>
  decision === 'delete' ? ('destroy_account' as const) : (`${decision}_user` as const)
