/** Examples in the help of those commands whose own files contain no examples. */
import type { Command } from '@commander-js/extra-typings'
import { examples } from './result.js'

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'account first-admin': ['account first-admin'],
  'account remove-second-factor': ['account remove-second-factor alice --dry-run'],
  'account backup': ['account backup alice'],
  'account pending': ['account pending', 'account pending --json'],
  'account approve': ['account approve alice'],
  'account reject': ['account reject alice --dry-run'],
  'account reset-password': ['account reset-password alice'],
  'setting list': ['setting list'],
  'rule list': ['rule list'],
  'rule change': ['rule change 3 "Be kind to each other."'],
  'rule remove': ['rule remove 3 --dry-run'],
  'warning-preset list': ['warning-preset list'],
  'warning-preset update': ['warning-preset update 3 "Please mark pictures of food."'],
  'warning-preset remove': ['warning-preset remove 3 --dry-run'],
  'report summary': ['report summary'],
  'report notes': ['report notes 12'],
  'report remove-note': ['report remove-note 12 34 --dry-run'],
  'audit-log list': ['audit-log list', 'audit-log list --json'],
  'audit-log export': ['audit-log export > audit-log.jsonl'],
  'bulk-action list': ['bulk-action list'],
  'bulk-action show': ['bulk-action show 116000000000000001'],
  'announcement list': ['announcement list'],
  'announcement publish': ['announcement publish 3'],
  'announcement unpublish': ['announcement unpublish 3'],
  'announcement remove': ['announcement remove 3 --dry-run'],
  'emoji enable': ['emoji enable blobcat'],
  'emoji disable': ['emoji disable blobcat'],
  'emoji remove': ['emoji remove blobcat --dry-run'],
  'media usage': ['media usage'],
  'domain-block list': ['domain-block list'],
  'domain-block remove': ['domain-block remove spam.example --dry-run'],
  'domain-block export': ['domain-block export > blocks.csv'],
  'domain-block import': ['domain-block import blocks.csv --dry-run', 'domain-block import - < blocks.csv'],
  'domain-allow list': ['domain-allow list'],
  'domain-allow add': ['domain-allow add a.example b.example'],
  'domain-allow remove': ['domain-allow remove a.example --dry-run'],
  'domain-allow export': ['domain-allow export > allowed.csv'],
  'domain-allow import': ['domain-allow import allowed.csv'],
  'ip-block list': ['ip-block list'],
  'ip-block remove': ['ip-block remove 192.0.2.0/24 --dry-run'],
  'email-block add': ['email-block add throwaway.example'],
  'email-block list': ['email-block list'],
  'email-block remove': ['email-block remove throwaway.example --dry-run'],
  'email-address-block add': ['email-address-block add someone@mail.example'],
  'email-address-block list': ['email-address-block list'],
  'email-address-block remove': ['email-address-block remove someone@mail.example --dry-run'],
  'username-block add': ['username-block add support', 'username-block add me --exact'],
  'username-block list': ['username-block list'],
  'username-block remove': ['username-block remove support --dry-run'],
  'federation hosts': ['federation hosts', 'federation hosts other.example'],
  'federation drop': ['federation drop gone.example --dry-run'],
  'federation retry': ['federation retry other.example'],
  'federation refusals': ['federation refusals 7'],
  'relay list': ['relay list'],
  'relay add': ['relay add https://relay.example/inbox'],
  'relay enable': ['relay enable https://relay.example/inbox'],
  'relay disable': ['relay disable https://relay.example/inbox'],
  'relay remove': ['relay remove https://relay.example/inbox --dry-run'],
  'task list': ['task list'],
  'task stop': ['task stop admin 116000000000000001'],
  queues: ['queues', 'queues --json'],
  'dlq list': ['dlq list'],
  'dlq show': ['dlq show 1'],
  'dlq replay': ['dlq replay 1 2'],
  'dlq drop': ['dlq drop 1 --dry-run'],
  recount: ['recount'],
  completion: ['completion bash'],
}

/** Adds examples to the help of all commands below this one. */
export const addExamples = (command: Command, prefix = ''): void => {
  for (const one of command.commands) {
    const name = `${prefix}${one.name()}`
    const lines = EXAMPLES[name]
    if (lines) one.addHelpText('after', examples(...lines))
    addExamples(one as Command, `${name} `)
  }
}
