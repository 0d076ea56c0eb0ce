/** Commands about who may not come in: addresses, e-mail providers, e-mail addresses, user names. */
import {
  canonicalEmailBlockFind,
  canonicalEmailBlockLift,
  canonicalEmailBlockPlace,
  emailDomainBlockFind,
  emailDomainBlockLift,
  emailDomainBlockPlace,
  ipBlockFind,
  ipBlockLift,
  ipBlockPlace,
  usernameBlockFind,
  usernameBlockLift,
  usernameBlockPlace,
} from '@murmuration/contracts/admin'
import { IpBlockSeverity } from '@murmuration/contracts/entities'
import { type Command, needed } from './command.js'
import type { Operator } from './operator.js'

const NONE = 'There are none.'

/** Every page of what a question gives. */
const everyOf = async <T>(ask: (after: string) => Promise<{ blocks: T[]; next: string | null }>): Promise<T[]> => {
  const found: T[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { blocks: T[]; next: string | null } = await ask(after)
    found.push(...page.blocks)
    after = page.next
  }
  return found
}

const severityOf = (given: string | undefined): IpBlockSeverity => {
  const severity = IpBlockSeverity.safeParse(needed(given, '--severity'))
  if (!severity.success) throw new Error(`--severity is one of ${IpBlockSeverity.options.join(', ')}.`)
  return severity.data
}

const secondsOf = (given: string | undefined): number | null => {
  if (given === undefined) return null
  if (!/^[1-9]\d{0,9}$/.test(given)) throw new Error('--expires-in is a number of seconds.')
  return Number(given)
}

const mark = (approval: boolean): string => (approval ? '  (with approval)' : '')

const ips: Command[] = [
  {
    name: 'ip-block list',
    usage: 'ip-block list',
    about: 'blocked addresses and ranges',
    async run(operator) {
      const blocks = await everyOf((after) => operator.ask(ipBlockFind, { after }))
      const text = blocks.map((one) =>
        [one.ip, one.severity, one.expires_at ? `until ${one.expires_at}` : '', one.comment].filter(Boolean).join('  '),
      )
      return { data: blocks, text: text.join('\n') || NONE }
    },
  },
  {
    name: 'ip-block add',
    usage:
      'ip-block add ADDRESS|RANGE --severity sign_up_requires_approval|sign_up_block|no_access [--comment C] [--expires-in SECONDS]',
    about: 'blocks an address or a range; no_access answers nothing to it at all',
    async run(operator, [ip], { severity, comment, 'expires-in': expires }) {
      const block = await operator.ask(ipBlockPlace, {
        ip: needed(ip, 'ADDRESS'),
        severity: severityOf(severity),
        comment: comment ?? '',
        expires_in: secondsOf(expires),
      })
      return { data: block, text: `${block.ip}  ${block.severity}` }
    },
  },
  {
    name: 'ip-block remove',
    usage: 'ip-block remove ADDRESS|RANGE',
    about: 'no longer blocks it',
    async run(operator: Operator, [ip]) {
      await operator.ask(ipBlockLift, { ip: needed(ip, 'ADDRESS') })
      return { data: {}, text: 'Removed.' }
    },
  },
]

const emails: Command[] = [
  {
    name: 'email-block list',
    usage: 'email-block list',
    about: 'blocked e-mail providers',
    async run(operator) {
      const blocks = await everyOf((after) => operator.ask(emailDomainBlockFind, { after }))
      const text = blocks.map((one) => `${one.domain}${mark(one.allow_with_approval)}`)
      return { data: blocks, text: text.join('\n') || NONE }
    },
  },
  {
    name: 'email-block add',
    usage: 'email-block add DOMAIN [--allow-with-approval]',
    about: 'nobody signs up with an address there, or whose mail goes there; or only after staff looked',
    async run(operator, [domain], { 'allow-with-approval': approval }) {
      const wanted = { domain: needed(domain, 'DOMAIN'), allow_with_approval: approval ?? false }
      const block = await operator.ask(emailDomainBlockPlace, wanted)
      return { data: block, text: `${block.domain}${mark(block.allow_with_approval)}` }
    },
  },
  {
    name: 'email-block remove',
    usage: 'email-block remove DOMAIN',
    about: 'no longer blocks it',
    async run(operator, [domain]) {
      await operator.ask(emailDomainBlockLift, { domain: needed(domain, 'DOMAIN') })
      return { data: {}, text: 'Removed.' }
    },
  },
]

const addresses: Command[] = [
  {
    name: 'email-address-block list',
    usage: 'email-address-block list',
    about: 'blocked e-mail addresses, by the hash that is kept of each',
    async run(operator) {
      const blocks = await everyOf((after) => operator.ask(canonicalEmailBlockFind, { after }))
      return { data: blocks, text: blocks.map((one) => one.canonical_email_hash).join('\n') || NONE }
    },
  },
  {
    name: 'email-address-block add',
    usage: 'email-address-block add ADDRESS|HASH',
    about: 'nobody signs up with this address, whatever its case, its dots, and what follows a plus',
    async run(operator, [email]) {
      const block = await operator.ask(canonicalEmailBlockPlace, { email: needed(email, 'ADDRESS') })
      return { data: block, text: block.canonical_email_hash }
    },
  },
  {
    name: 'email-address-block remove',
    usage: 'email-address-block remove ADDRESS|HASH',
    about: 'no longer blocks it',
    async run(operator, [email]) {
      await operator.ask(canonicalEmailBlockLift, { email: needed(email, 'ADDRESS') })
      return { data: {}, text: 'Removed.' }
    },
  },
]

const names: Command[] = [
  {
    name: 'username-block list',
    usage: 'username-block list',
    about: 'reserved user names',
    async run(operator) {
      const blocks = await everyOf((after) => operator.ask(usernameBlockFind, { after }))
      const text = blocks.map(
        (one) => `${one.exact ? one.username : `*${one.username}*`}${mark(one.allow_with_approval)}`,
      )
      return { data: blocks, text: text.join('\n') || NONE }
    },
  },
  {
    name: 'username-block add',
    usage: 'username-block add NAME [--exact] [--allow-with-approval]',
    about: 'reserves every name that contains it, or this name alone',
    async run(operator, [username], { exact, 'allow-with-approval': approval }) {
      const block = await operator.ask(usernameBlockPlace, {
        username: needed(username, 'NAME'),
        exact: exact ?? false,
        allow_with_approval: approval ?? false,
      })
      return { data: block, text: `${block.username}${mark(block.allow_with_approval)}` }
    },
  },
  {
    name: 'username-block remove',
    usage: 'username-block remove NAME',
    about: 'no longer reserves it',
    async run(operator, [username]) {
      await operator.ask(usernameBlockLift, { username: needed(username, 'NAME') })
      return { data: {}, text: 'Removed.' }
    },
  },
]

export const accessBlockCommands: Command[] = [...ips, ...emails, ...addresses, ...names]
