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
  'account create': [accounts.accountCreateByOperator],
  'account first-admin': 'It makes the first owner. Without an owner, no account could send the request.',
  'account remove-second-factor': [accounts.userSecondFactorDisable],
  'account modify': [
    accounts.userEmailChange,
    accounts.userConfirm,
    accounts.userSecondFactorDisable,
    accounts.userPasswordReset,
    accounts.userMemorialize,
    accounts.roleList,
    accounts.roleAssign,
    admin.adminAccountApprove,
    admin.adminAccountEnable,
    admin.adminAccountAct,
  ],
  'account backup': [federation.archiveRequest],
  'account delete': [admin.adminAccountShow, admin.adminAccountDelete],
  'account refresh': [accounts.accountRefresh, accounts.accountRefreshAll],
  'account rotate-keys': [accounts.keyRotate, accounts.keyRotateAll],
  'account cull': [accounts.accountCull],
  'account prune': [admin.accountPrune],
  'account follow': [accounts.accountsFollow],
  'account unfollow': [accounts.accountsUnfollow],
  'account reset-relationships': [accounts.accountsUnfollow],
  'account relationship':
    'Blocks and mutes between accounts are private. Operators have access to the database anyway.',
  'account pending': [admin.adminAccountList],
  'account approve': [admin.adminAccountApprove],
  'account reject': [admin.adminAccountReject],
  'account reset-password': [accounts.userPasswordReset],
  'token create': [accounts.accountTokenCreate],
  'setting set': [admin.settingSet],
  'setting list': [admin.settingGet],
  'rule add': [admin.ruleCreate],
  'rule list': [admin.ruleList],
  'rule change': [admin.ruleUpdate],
  'rule translate': [admin.ruleUpdate],
  'rule remove': [admin.ruleRemove],
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
  'audit-log list': [admin.auditLogBrowse],
  'audit-log show': [admin.auditLogShow],
  'audit-log undo': [admin.auditLogUndo],
  'audit-log verify': [admin.auditLogVerify],
  'audit-log export': [admin.auditLogExport],
  'bulk-action start': [admin.createBulkAction],
  'bulk-action list': [admin.listBulkActions],
  'bulk-action show': [admin.showBulkAction],
  'bulk-action undo': [admin.undoBulkAction],
  'announcement create': [admin.announcementCreate],
  'announcement list': [admin.announcementListAll],
  'announcement publish': [admin.announcementUpdate],
  'announcement unpublish': [admin.announcementUpdate],
  'announcement remove': [admin.announcementRemove],
  'emoji add': [media.emojiCreate],
  'emoji enable': [media.emojiUpdate],
  'emoji disable': [media.emojiUpdate],
  'emoji remove': [media.emojiListAll, media.emojiRemove],
  'emoji copy': [media.remoteEmojiList, media.remoteEmojiCopy],
  'emoji import': [media.emojiListAll, media.emojiCheck, media.emojiCreate],
  'emoji export': [media.emojiListAll, media.emojiPicture],
  'emoji purge': [media.emojiPurge],
  'statuses remove': [admin.statusesRemove],
  'preview-cards remove': [admin.previewCardsRemove],
  'feed build': [admin.feedsBuild],
  'feed clear': [admin.feedsClear],
  'cache clear': [statuses.cacheClear],
  'media usage': [media.mediaUsage],
  'media remove': [media.mediaRemove, accounts.profileMediaRemove],
  'media orphans': [media.mediaRemoveOrphans],
  'media refresh': [media.mediaRefresh],
  'media lookup': [media.mediaLookup, statuses.showStatus],
  'terms publish': [admin.termsOfServicePublish],
  'domain crawl': [federation.startCrawl, federation.showCrawl, federation.listCrawledServers],
  'domain purge': [accounts.accountsPurgeDomains],
  'domain-block list': [admin.domainBlockList],
  'domain-block add': [admin.domainBlockCreate, admin.domainBlockUpdate],
  'domain-block remove': [admin.domainBlockRemove],
  'domain-block export': [admin.domainBlockExport],
  'domain-block import': [admin.domainBlockImport],
  'domain-allow list': [admin.domainAllowList],
  'domain-allow add': [admin.domainAllowCreate],
  'domain-allow remove': [admin.domainAllowRemove],
  'domain-allow export': [admin.domainAllowList],
  'domain-allow import': [admin.domainAllowCreate],
  'ip-block add': [admin.ipBlockCreate],
  'ip-block list': [admin.ipBlockList],
  'ip-block remove': [admin.ipBlockRemove],
  'email-block add': [admin.emailDomainBlockCreate],
  'email-block list': [admin.emailDomainBlockList],
  'email-block remove': [admin.emailDomainBlockRemove],
  'email-address-block add': [admin.canonicalEmailBlockCreate],
  'email-address-block list': [admin.canonicalEmailBlockList],
  'email-address-block remove': [admin.canonicalEmailBlockRemove],
  'username-block add': [admin.usernameBlockCreate],
  'username-block list': [admin.usernameBlockList],
  'username-block remove': [admin.usernameBlockRemove],
  'federation hosts': [federation.deliveryState, federation.hostShow],
  'federation drop': [federation.deliveryDrop],
  'federation retry': [federation.hostRetry],
  'federation refusals': [federation.inboxRefusals],
  'federation explain': [federation.deliveryExplain, statuses.accountTimeline],
  'relay list': [federation.relayList],
  'relay add': [federation.relayAdd],
  'relay enable': [federation.relayEnable],
  'relay disable': [federation.relayDisable],
  'relay remove': [federation.relayRemove],
  'task list': [accounts.accountTaskList, admin.adminTaskList, federation.federationTaskList, media.mediaTaskList],
  'task show': [accounts.accountTaskShow, admin.adminTaskShow, federation.federationTaskShow, media.mediaTaskShow],
  'task stop': [accounts.accountTaskStop, admin.adminTaskStop, federation.federationTaskStop, media.mediaTaskStop],
  queues: [admin.queueList],
  'dlq list': [admin.deadLetterList],
  'dlq show': [admin.deadLetterShow],
  'dlq replay': [admin.deadLetterReplay],
  'dlq drop': [admin.deadLetterDrop],
  'event replay': [admin.eventReplay],
  recount: [accounts.recountAccounts, statuses.recountStatuses],
  'self-destruct': 'It deletes the whole server. It takes access to its machine, so that a stolen token cannot do it.',
  completion: 'It prints a script for the shell, without a server.',
  complete: 'It completes words in the shell, without a server.',
}

/** Operations by name for operators → operations by id with the same code. */
const SIBLINGS = new Map<AnyOperation, readonly AnyOperation[]>([
  [accounts.accountRecords, [accounts.accountLookup]],
  [accounts.tokenCreateByOperator, [accounts.accountTokenCreate]],
  [accounts.registrationListPending, [admin.adminAccountList]],
  [admin.auditLogList, [admin.auditLogBrowse]],
  [admin.canonicalEmailBlockFind, [admin.canonicalEmailBlockList]],
  [admin.canonicalEmailBlockRemoveByOperator, [admin.canonicalEmailBlockRemove]],
  [admin.canonicalEmailBlockCreateByOperator, [admin.canonicalEmailBlockCreate]],
  [admin.domainAllowFind, [admin.domainAllowList]],
  [admin.domainAllowRemoveByOperator, [admin.domainAllowRemove]],
  [admin.domainAllowCreateByOperator, [admin.domainAllowCreate]],
  [admin.domainBlockFind, [admin.domainBlockList]],
  [admin.domainBlockRemoveByOperator, [admin.domainBlockRemove]],
  [admin.domainBlockCreateByOperator, [admin.domainBlockCreate, admin.domainBlockUpdate]],
  [admin.emailDomainBlockFind, [admin.emailDomainBlockList]],
  [admin.emailDomainBlockRemoveByOperator, [admin.emailDomainBlockRemove]],
  [admin.emailDomainBlockCreateByOperator, [admin.emailDomainBlockCreate]],
  [admin.ipBlockFind, [admin.ipBlockList]],
  [admin.ipBlockRemoveByOperator, [admin.ipBlockRemove]],
  [admin.ipBlockCreateByOperator, [admin.ipBlockCreate]],
  [admin.usernameBlockFind, [admin.usernameBlockList]],
  [admin.usernameBlockRemoveByOperator, [admin.usernameBlockRemove]],
  [admin.usernameBlockCreateByOperator, [admin.usernameBlockCreate]],
  [media.emojiFind, [media.emojiListAll]],
  [statuses.ownStatusIds, [statuses.accountTimeline]],
  [statuses.statusRecords, [statuses.showStatus, statuses.accountTimeline]],
])
/** Operations of commands for which the table has a reason. */
const ONLY_COMMANDS = new Set<AnyOperation>([accounts.firstAdmin, accounts.selfDestruct, accounts.relationshipShow])

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
    .filter((one) => !SIBLINGS.get(one)?.some((sibling) => inTable.has(sibling) || sibling === accounts.accountLookup))
  expect(without.map((one) => one.name)).toEqual([])
})
