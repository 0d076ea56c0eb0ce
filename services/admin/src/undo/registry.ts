/** The registry: the reversal of each action of the audit log. */
import type { AuditAction } from '@murmuration/contracts/admin'
import { auditNameOf, type State } from '../core/account-action.rules.js'
import { canonicalEmailBlocks, emailDomainBlocks, ipBlocks, usernameBlocks } from './access-rule.js'
import { accountReversal } from './account.js'
import { announcements, ruleOrders, rules, settings, warningPresets } from './content.js'
import { domainAllows, domainBlocks } from './domain.js'
import { accountNotes, reportNotes } from './note.js'
import { emojis, invites, memorials, relays, roles, taxonomies, tokens } from './other-service.js'
import { reports } from './report.js'
import type { Reversal } from './reversal.js'
import { statuses } from './status.js'
import { webhooks } from './webhook.js'

const STATES: readonly State[] = ['disable', 'sensitive', 'silence', 'suspend']

const accounts = STATES.flatMap((state) =>
  [true, false].map((wanted) => [auditNameOf(state, wanted), accountReversal(state, wanted)] as const),
)

const each = (reversal: Reversal, ...actions: AuditAction[]): (readonly [AuditAction, Reversal])[] =>
  actions.map((action) => [action, reversal] as const)

const registry: ReadonlyMap<string, Reversal> = new Map<string, Reversal>([
  ...accounts,
  ...each(domainBlocks, 'create_domain_block', 'update_domain_block', 'destroy_domain_block'),
  ...each(domainAllows, 'create_domain_allow', 'destroy_domain_allow'),
  ...each(ipBlocks, 'create_ip_block', 'update_ip_block', 'destroy_ip_block'),
  ...each(emailDomainBlocks, 'create_email_domain_block', 'destroy_email_domain_block'),
  ...each(canonicalEmailBlocks, 'create_canonical_email_block', 'destroy_canonical_email_block'),
  ...each(usernameBlocks, 'create_username_block', 'update_username_block', 'destroy_username_block'),
  ...each(rules, 'create_rule', 'update_rule', 'destroy_rule'),
  ...each(ruleOrders, 'order_rules'),
  ...each(announcements, 'create_announcement', 'update_announcement', 'destroy_announcement'),
  ...each(warningPresets, 'create_warning_preset', 'update_warning_preset', 'destroy_warning_preset'),
  ...each(settings, 'update_setting'),
  ...each(
    reports,
    'resolve_report',
    'reopen_report',
    'assign_report',
    'assigned_to_self_report',
    'unassigned_report',
    'update_report',
  ),
  ...each(reportNotes, 'create_report_note', 'destroy_report_note'),
  ...each(accountNotes, 'create_account_note', 'destroy_account_note'),
  ...each(statuses, 'update_status'),
  ...each(roles, 'create_user_role', 'update_user_role', 'destroy_user_role', 'change_role_user'),
  ...each(tokens, 'create_token_user'),
  ...each(memorials, 'memorialize_account', 'unmemorialize_account'),
  ...each(invites, 'destroy_invite', 'enable_invite'),
  ...each(emojis, 'create_custom_emoji', 'update_custom_emoji', 'enable_custom_emoji', 'disable_custom_emoji'),
  ...each(relays, 'create_relay', 'enable_relay', 'disable_relay', 'destroy_relay'),
  ...each(taxonomies, 'update_tag'),
  ...(['tag', 'link', 'status', 'publisher'] as const).flatMap((kind) =>
    each(taxonomies, `approve_trend_${kind}`, `reject_trend_${kind}`, `reset_trend_${kind}`),
  ),
  ...each(
    webhooks,
    'rotate_secret_webhook',
    'create_webhook',
    'update_webhook',
    'enable_webhook',
    'disable_webhook',
    'destroy_webhook',
  ),
])

export const reversalOf = (action: string): Reversal | undefined => registry.get(action)

/** Names of actions in the audit log that can be undone. */
export const reversibleActions = (): string[] => [...registry.keys()]
