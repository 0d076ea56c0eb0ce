/** Registers the pages below `/admin`. */
import type { Edge } from '../../edge/serve.js'
import type { Pages } from '../core/page-request.js'
import type { Sessions } from '../core/session.js'
import { addAccount } from './account.js'
import { addAccounts } from './accounts.js'
import { addAct } from './act.js'
import { addAnnouncements } from './announcements.js'
import { addAppeals } from './appeals.js'
import { addAuditEntry } from './audit-entry.js'
import { addAuditLog } from './audit-log.js'
import { addBlocks } from './blocks.js'
import { addBulkActions } from './bulk-actions.js'
import { addBulkPlan } from './bulk-plan.js'
import { addDashboard } from './dashboard.js'
import { addDeadLetters } from './dead-letters.js'
import { addDomainImport } from './domain-import.js'
import { addDomains } from './domains.js'
import { addEmojis } from './emojis.js'
import { addFederationExplain } from './federation-explain.js'
import { addFederationHost } from './federation-host.js'
import { addFederationHosts } from './federation-hosts.js'
import { addFederationRefusals } from './federation-refusals.js'
import { createAdmin } from './frame.js'
import { addInvites } from './invites.js'
import { addNotes } from './notes.js'
import { addQueues } from './queues.js'
import { addRelays } from './relays.js'
import { addRemoteEmojis } from './remote-emojis.js'
import { addReport } from './report.js'
import { addReportStatuses } from './report-statuses.js'
import { addReports } from './reports.js'
import { addRoleAssignment } from './role-assignment.js'
import { addRoles } from './roles.js'
import { addRules } from './rules.js'
import { addSettings } from './settings.js'
import { addSignUps } from './sign-ups.js'
import { addStrikesOfAccounts } from './strikes.js'
import { addTags } from './tags.js'
import { addTerms } from './terms.js'
import { addTrends } from './trends.js'
import { addWarningPresets } from './warning-presets.js'

import { addWebhooks } from './webhooks.js'

export const addAdmin = (pages: Pages, sessions: Sessions, edge: Edge): void => {
  const admin = createAdmin(pages, sessions, edge)
  addDashboard(admin)
  addReports(admin)
  addReport(admin)
  addReportStatuses(admin)
  addNotes(admin)
  addAccounts(admin)
  addAct(admin)
  addStrikesOfAccounts(admin)
  addAppeals(admin)
  addWarningPresets(admin)
  addAccount(admin)
  addSignUps(admin)
  addTrends(admin)
  addBulkPlan(admin)
  addBulkActions(admin)
  addDomainImport(admin)
  addDomains(admin)
  addFederationHosts(admin)
  addFederationHost(admin)
  addFederationRefusals(admin)
  addFederationExplain(admin)
  addBlocks(admin)
  addRules(admin)
  addAnnouncements(admin)
  addEmojis(admin)
  addRemoteEmojis(admin)
  addInvites(admin)
  addRelays(admin)
  addTerms(admin)
  addTags(admin)
  addSettings(admin)
  addRoles(admin)
  addRoleAssignment(admin)
  addQueues(admin)
  addDeadLetters(admin)
  addWebhooks(admin)
  addAuditLog(admin)
  addAuditEntry(admin)
  admin.register()
}
