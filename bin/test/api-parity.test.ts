/** Each command of operators is also an operation of the API, or has a reason why not. */
import { readFileSync } from 'node:fs'
import * as accounts from '@murmuration/contracts/accounts'
import * as admin from '@murmuration/contracts/admin'
import * as federation from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import * as media from '@murmuration/contracts/media'
import * as statuses from '@murmuration/contracts/statuses'
import { expect, test } from 'vitest'
import { listCommands } from '../control/program.js'
import { commandOperations } from './command-operations.js'

/** Command → operations of the API with the same effect, or the reason why there is none. */
const TABLE: Readonly<Record<string, readonly AnyOperation[] | string>> = {
  'account create': [accounts.createAccountByOperator],
  'account first-admin': 'It makes the first owner. Without an owner, no account could send the request.',
  'account remove-second-factor': [accounts.disableUserSecondFactor],
  'account modify': [
    accounts.changeUserEmail,
    accounts.confirmUser,
    accounts.disableUserSecondFactor,
    accounts.resetUserPassword,
    accounts.memorializeUser,
    accounts.listRoles,
    accounts.assignRole,
    admin.approveAccountByStaff,
    admin.enableAccount,
    admin.actOnAccount,
  ],
  'account backup': [federation.requestArchive],
  'account delete': [admin.showAccountForStaff, admin.deleteAccountByStaff],
  'account refresh': [accounts.refreshAccount, accounts.refreshAllAccounts],
  'account rotate-keys': [accounts.rotateKeys, accounts.rotateAllKeys],
  'account cull': [accounts.cullAccounts],
  'account prune': [admin.pruneRemoteAccounts],
  'account follow': [accounts.followAccounts],
  'account unfollow': [accounts.unfollowAccounts],
  'account reset-relationships': [accounts.unfollowAccounts],
  'account relationship':
    'Blocks and mutes between accounts are private. Operators have access to the database anyway.',
  'account pending': [admin.listAccountsForStaff],
  'account approve': [admin.approveAccountByStaff],
  'account reject': [admin.rejectAccountByStaff],
  'account reset-password': [accounts.resetUserPassword],
  'token create': [accounts.createTokenByStaff],
  'setting set': [admin.setSetting],
  'setting list': [admin.getSettings],
  'rule add': [admin.createRule],
  'rule list': [admin.listRules],
  'rule change': [admin.updateRule],
  'rule translate': [admin.updateRule],
  'rule remove': [admin.removeRule],
  'warning-preset add': [admin.createWarningPreset],
  'warning-preset list': [admin.listWarningPresets],
  'warning-preset update': [admin.updateWarningPreset],
  'warning-preset remove': [admin.removeWarningPreset],
  'report list': [admin.listReportQueue],
  'report summary': [admin.summarizeReports],
  'report assign': [admin.assignReport],
  'report notes': [admin.listReportNotes],
  'report note': [admin.createReportNote],
  'report remove-note': [admin.removeReportNote],
  'audit-log list': [admin.browseAuditLog],
  'audit-log show': [admin.showAuditLogEntry],
  'audit-log undo': [admin.undoAuditLogEntry],
  'audit-log verify': [admin.verifyAuditLog],
  'audit-log export': [admin.exportAuditLog],
  'bulk-action start': [admin.createBulkAction],
  'bulk-action list': [admin.listBulkActions],
  'bulk-action show': [admin.showBulkAction],
  'bulk-action undo': [admin.undoBulkAction],
  'announcement create': [admin.createAnnouncement],
  'announcement list': [admin.listAllAnnouncements],
  'announcement publish': [admin.updateAnnouncement],
  'announcement unpublish': [admin.updateAnnouncement],
  'announcement remove': [admin.removeAnnouncement],
  'emoji add': [media.createEmoji],
  'emoji enable': [media.updateEmoji],
  'emoji disable': [media.updateEmoji],
  'emoji remove': [media.listAllEmojis, media.removeEmoji],
  'emoji copy': [media.listRemoteEmojis, media.copyRemoteEmoji],
  'emoji import': [media.listAllEmojis, media.checkEmoji, media.createEmoji],
  'emoji export': [media.listAllEmojis, media.emojiPicture],
  'emoji purge': [media.purgeEmojis],
  'secrets renew': [admin.renewSecrets],
  'statuses remove': [admin.removeStatuses],
  'preview-cards remove': [admin.removePreviewCards],
  'feed build': [admin.buildFeeds],
  'feed clear': [admin.clearFeeds],
  'cache clear': [statuses.clearCache],
  'media usage': [media.mediaUsage],
  'media remove': [media.removeMedia, accounts.removeProfileMedia],
  'media orphans': [media.removeOrphanedMedia],
  'media refresh': [media.refreshMedia],
  'media lookup': [media.lookupMedia, statuses.showStatus],
  'terms publish': [admin.publishTermsOfService],
  'domain crawl': [federation.startCrawl, federation.showCrawl, federation.listCrawledServers],
  'domain purge': [accounts.purgeDomains],
  'domain-block list': [admin.listDomainBlocks],
  'domain-block add': [admin.createDomainBlock, admin.updateDomainBlock],
  'domain-block remove': [admin.removeDomainBlock],
  'domain-block export': [admin.exportDomainBlocks],
  'domain-block import': [admin.importDomainBlocks],
  'domain-allow list': [admin.listDomainAllows],
  'domain-allow add': [admin.createDomainAllow],
  'domain-allow remove': [admin.removeDomainAllow],
  'domain-allow export': [admin.listDomainAllows],
  'domain-allow import': [admin.createDomainAllow],
  'ip-block add': [admin.createIpBlock],
  'ip-block list': [admin.listIpBlocks],
  'ip-block remove': [admin.removeIpBlock],
  'email-block add': [admin.createEmailDomainBlock],
  'email-block list': [admin.listEmailDomainBlocks],
  'email-block remove': [admin.removeEmailDomainBlock],
  'email-address-block add': [admin.createCanonicalEmailBlock],
  'email-address-block list': [admin.listCanonicalEmailBlocks],
  'email-address-block remove': [admin.removeCanonicalEmailBlock],
  'username-block add': [admin.createUsernameBlock],
  'username-block list': [admin.listUsernameBlocks],
  'username-block remove': [admin.removeUsernameBlock],
  'federation hosts': [federation.deliveryState, federation.showHost],
  'federation drop': [federation.dropDeliveriesOfHost],
  'federation retry': [federation.retryHost],
  'federation refusals': [federation.inboxRefusals],
  'federation explain': [federation.explainDelivery, statuses.accountTimeline],
  'relay list': [federation.listRelays],
  'relay add': [federation.addRelay],
  'relay enable': [federation.enableRelay],
  'relay disable': [federation.disableRelay],
  'relay remove': [federation.removeRelay],
  'task list': [accounts.listAccountTasks, admin.listAdminTasks, federation.listFederationTasks, media.listMediaTasks],
  'task show': [accounts.showAccountTask, admin.showAdminTask, federation.showFederationTask, media.showMediaTask],
  'task stop': [accounts.stopAccountTask, admin.stopAdminTask, federation.stopFederationTask, media.stopMediaTask],
  queues: [admin.listQueues],
  'bus streams': 'It reads the bus itself, also while no process of the admin service responds.',
  'bus consumers': 'It reads the bus itself, also while no process of the admin service responds.',
  'bus services': 'It reads the bus itself, also while no process of the admin service responds.',
  'dlq list': [admin.listDeadLetters],
  'dlq show': [admin.showDeadLetter],
  'dlq replay': [admin.replayDeadLetter],
  'dlq drop': [admin.dropDeadLetter],
  'event replay': [admin.replayEvent],
  recount: [accounts.recountAccounts, statuses.recountStatuses],
  'self-destruct': 'It deletes the whole server. It takes access to its machine, so that a stolen token cannot do it.',
  completion: 'It prints a script for the shell, without a server.',
  complete: 'It completes words in the shell, without a server.',
}

/** Operations by name for operators → operations by id with the same code. */
const SIBLINGS = new Map<AnyOperation, readonly AnyOperation[]>([
  [accounts.accountRecords, [accounts.lookupAccount]],
  [accounts.createTokenByOperator, [accounts.createTokenByStaff]],
  [accounts.listPendingRegistrations, [admin.listAccountsForStaff]],
  [admin.listAuditLog, [admin.browseAuditLog]],
  [admin.findCanonicalEmailBlocks, [admin.listCanonicalEmailBlocks]],
  [admin.removeCanonicalEmailBlockByOperator, [admin.removeCanonicalEmailBlock]],
  [admin.createCanonicalEmailBlockByOperator, [admin.createCanonicalEmailBlock]],
  [admin.findDomainAllows, [admin.listDomainAllows]],
  [admin.removeDomainAllowByOperator, [admin.removeDomainAllow]],
  [admin.createDomainAllowByOperator, [admin.createDomainAllow]],
  [admin.findDomainBlocks, [admin.listDomainBlocks]],
  [admin.removeDomainBlockByOperator, [admin.removeDomainBlock]],
  [admin.createDomainBlockByOperator, [admin.createDomainBlock, admin.updateDomainBlock]],
  [admin.findEmailDomainBlocks, [admin.listEmailDomainBlocks]],
  [admin.removeEmailDomainBlockByOperator, [admin.removeEmailDomainBlock]],
  [admin.createEmailDomainBlockByOperator, [admin.createEmailDomainBlock]],
  [admin.findIpBlocks, [admin.listIpBlocks]],
  [admin.removeIpBlockByOperator, [admin.removeIpBlock]],
  [admin.createIpBlockByOperator, [admin.createIpBlock]],
  [admin.findUsernameBlocks, [admin.listUsernameBlocks]],
  [admin.removeUsernameBlockByOperator, [admin.removeUsernameBlock]],
  [admin.createUsernameBlockByOperator, [admin.createUsernameBlock]],
  [media.findEmojis, [media.listAllEmojis]],
  [statuses.ownStatusIds, [statuses.accountTimeline]],
  [statuses.statusRecords, [statuses.showStatus, statuses.accountTimeline]],
])
/** Operations of commands for which the table has a reason. */
const ONLY_COMMANDS = new Set<AnyOperation>([accounts.firstAdmin, accounts.selfDestruct, accounts.showRelationship])

const operations = Object.values(TABLE).flatMap((one) => (typeof one === 'string' ? [] : one))

test('each command is in the table, and the table has no other', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(
    listCommands()
      .map((one) => one.name)
      .toSorted(),
  )
})

test('each operation in the table and each sibling has a route for staff', () => {
  const routed = new Set([...operations, ...[...SIBLINGS.values()].flat()])
  expect([...routed].filter((one) => one.http.length === 0).map((one) => one.name)).toEqual([])
  const reasons = Object.values(TABLE).filter((one) => typeof one === 'string')
  expect(reasons.filter((one) => one.split(' ').length < 4)).toEqual([])
})

test('the page about administration by API lists exactly the commands without a route', () => {
  const page = readFileSync(new URL('../../docs/how-to/administer-by-api.md', import.meta.url), 'utf8')
  const [, table = ''] = /^\| Command \| Reason \|\n((?:\|.+\n)+)/m.exec(page) ?? []
  const listed = [...table.matchAll(/^\| (`.+`) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '))
  const without = Object.entries(TABLE).flatMap(([name, one]) => (typeof one === 'string' ? [name] : []))
  expect(listed.toSorted()).toEqual(without.toSorted())
})

test('each operation that a command calls has a route, or a sibling with a route in the table', () => {
  const imported = commandOperations()
  expect(imported.length).toBeGreaterThan(50)
  const inTable = new Set(operations)
  const without = imported
    .filter((one) => one.http.length === 0 && !ONLY_COMMANDS.has(one))
    .filter((one) => !SIBLINGS.get(one)?.some((sibling) => inTable.has(sibling) || sibling === accounts.lookupAccount))
  expect(without.map((one) => one.name)).toEqual([])
})
