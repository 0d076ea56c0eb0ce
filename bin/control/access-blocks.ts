/** Commands for blocks at sign-up and sign-in: IP addresses, e-mail domains, e-mail addresses and usernames. */
import { BlockList, isIP } from 'node:net'
import { Option } from '@commander-js/extra-typings'
import {
  createCanonicalEmailBlockByOperator,
  createEmailDomainBlockByOperator,
  createIpBlockByOperator,
  createUsernameBlockByOperator,
  findCanonicalEmailBlocks,
  findEmailDomainBlocks,
  findIpBlocks,
  findUsernameBlocks,
  removeCanonicalEmailBlockByOperator,
  removeEmailDomainBlockByOperator,
  removeIpBlockByOperator,
  removeUsernameBlockByOperator,
} from '@murmuration/contracts/admin'
import { IpBlockSeverity } from '@murmuration/contracts/entities'
import { canonicalEmailHash } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, everyPage, examples, NONE, numberUpTo, removeOrReport } from './result.js'

const mark = (approval: boolean): string => (approval ? '  (with approval)' : '')
const WITH_APPROVAL = ['--allow-with-approval', 'allow sign-ups that staff approve'] as const

/** The hash of an e-mail address, or the given text if it is a hash. */
const hashIn = (word: string): string =>
  word.includes('@') ? canonicalEmailHash(word.trim()) : word.trim().toLowerCase()

/** An IP address with the length of its prefix. An address alone is a range of one address. */
const partsOf = (range: string) => {
  const [address = '', bits] = range.trim().toLowerCase().split('/')
  const version = isIP(address)
  const family = version === 6 ? ('ipv6' as const) : ('ipv4' as const)
  return { address, version, family, bits: bits === undefined ? (version === 6 ? 128 : 32) : Number(bits) }
}

/** Whether two texts name the same range of IP addresses, such as `192.0.2.7/24` and `192.0.2.0/24`. */
const isSameRange = (stored: string, word: string): boolean => {
  const [one, other] = [partsOf(stored), partsOf(word)]
  if (other.version === 0 || one.version !== other.version || one.bits !== other.bits) return false
  const range = new BlockList()
  range.addSubnet(other.address, other.bits, other.family)
  return range.check(one.address, one.family)
}

/** Adds the commands `list` and `remove`, which are the same for blocks of IP addresses, e-mail domains, e-mail addresses and usernames. */
const addListAndRemove = <Block>(
  { group, run }: Commands,
  of: {
    noun: string
    about: string
    word: string
    list: (call: Operator['call'], after: string) => Promise<{ blocks: Block[]; next: string | null }>
    line(block: Block): string
    /** Whether an argument of the command line identifies the block. */
    isNamed(block: Block, word: string): boolean
    remove: (call: Operator['call'], word: string) => Promise<unknown>
  },
): void => {
  const noun = group(of.noun, of.about)
  noun
    .command('list')
    .description('List them all.')
    .action(
      run(async ({ call }) => {
        const blocks = (await everyPage((after) => of.list(call, after))).flatMap((page) => page.blocks)
        return { data: blocks, text: blocks.map(of.line).join('\n') || NONE }
      }),
    )
  noun
    .command(`remove <${of.word}>`)
    .description('Remove a block.')
    .option(...DRY_RUN)
    .action(
      run(async ({ call }, word, flags) =>
        removeOrReport(
          flags,
          async () => {
            const pages = await everyPage((after) => of.list(call, after))
            return (
              pages
                .flatMap((page) => page.blocks)
                .filter((one) => of.isNamed(one, word))
                .map(of.line)[0] ?? null
            )
          },
          () => of.remove(call, word),
        ),
      ),
    )
}

const addIpBlocks = (commands: Commands): void => {
  const about = 'Blocked IP addresses and ranges.'
  commands
    .group('ip-block', about)
    .command('add <range>')
    .description('Block an IP address or a range (CIDR). With no_access all requests from it are refused.')
    .addOption(
      new Option('--severity <severity>', 'what is blocked').choices(IpBlockSeverity.options).makeOptionMandatory(),
    )
    .option('--comment <text>', 'note for staff')
    .option('--expires-in <seconds>', 'end of the block; never when absent', numberUpTo(3_153_600_000))
    .addHelpText('after', examples('ip-block add 192.0.2.0/24 --severity sign_up_block --expires-in 604800'))
    .action(
      commands.run(async (operator, ip, { severity, comment, expiresIn }) => {
        const wanted = { ip, severity, comment: comment ?? '', expires_in: expiresIn ?? null }
        const block = await operator.call(createIpBlockByOperator, wanted)
        return { data: block, text: `${block.ip}  ${block.severity}` }
      }),
    )
  addListAndRemove(commands, {
    noun: 'ip-block',
    about,
    word: 'range',
    list: (call, after) => call(findIpBlocks, { after }),
    line: (one) =>
      [one.ip, one.severity, one.expires_at ? `until ${one.expires_at}` : '', one.comment].filter(Boolean).join('  '),
    isNamed: (one, word) => isSameRange(one.ip, word),
    remove: (call, ip) => call(removeIpBlockByOperator, { ip }),
  })
}

const addEmailDomainBlocks = (commands: Commands): void => {
  const about = 'Blocked e-mail providers.'
  commands
    .group('email-block', about)
    .command('add <domain>')
    .description('Refuse sign-ups with addresses of this domain, or of domains with a mail server in it.')
    .option(...WITH_APPROVAL)
    .action(
      commands.run(async (operator, domain, { allowWithApproval }) => {
        const wanted = { domain, allow_with_approval: allowWithApproval ?? false }
        const block = await operator.call(createEmailDomainBlockByOperator, wanted)
        return { data: block, text: `${block.domain}${mark(block.allow_with_approval)}` }
      }),
    )
  addListAndRemove(commands, {
    noun: 'email-block',
    about,
    word: 'domain',
    list: (call, after) => call(findEmailDomainBlocks, { after }),
    line: (one) => `${one.domain}${mark(one.allow_with_approval)}`,
    isNamed: (one, word) => one.domain === normaliseDomain(word.trim().replace(/^@/, '')),
    remove: (call, domain) => call(removeEmailDomainBlockByOperator, { domain }),
  })
}

const addEmailAddressBlocks = (commands: Commands): void => {
  const about = 'Blocked e-mail addresses; only a hash of each is stored.'
  commands
    .group('email-address-block', about)
    .command('add <address>')
    .description('Refuse sign-ups with this address (or hash), in any case, with any dots or text after a plus sign.')
    .action(
      commands.run(async (operator, email) => {
        const block = await operator.call(createCanonicalEmailBlockByOperator, { email })
        return { data: block, text: block.canonical_email_hash }
      }),
    )
  addListAndRemove(commands, {
    noun: 'email-address-block',
    about,
    word: 'address',
    list: (call, after) => call(findCanonicalEmailBlocks, { after }),
    line: (one) => one.canonical_email_hash,
    isNamed: (one, word) => one.canonical_email_hash === hashIn(word),
    remove: (call, email) => call(removeCanonicalEmailBlockByOperator, { email }),
  })
}

const addUsernameBlocks = (commands: Commands): void => {
  const about = 'Reserved user names.'
  commands
    .group('username-block', about)
    .command('add <name>')
    .description('Reserve every user name that contains this one, or with --exact only this one.')
    .option('--exact', 'only this name')
    .option(...WITH_APPROVAL)
    .action(
      commands.run(async (operator, username, { exact, allowWithApproval }) => {
        const wanted = { username, exact: exact ?? false, allow_with_approval: allowWithApproval ?? false }
        const block = await operator.call(createUsernameBlockByOperator, wanted)
        return { data: block, text: `${block.username}${mark(block.allow_with_approval)}` }
      }),
    )
  addListAndRemove(commands, {
    noun: 'username-block',
    about,
    word: 'name',
    list: (call, after) => call(findUsernameBlocks, { after }),
    line: (one) => `${one.exact ? one.username : `*${one.username}*`}${mark(one.allow_with_approval)}`,
    isNamed: (one, word) => one.username === word.trim().replace(/^@/, '').toLowerCase(),
    remove: (call, username) => call(removeUsernameBlockByOperator, { username }),
  })
}

export const addAccessBlockCommands = (commands: Commands): void => {
  addIpBlocks(commands)
  addEmailDomainBlocks(commands)
  addEmailAddressBlocks(commands)
  addUsernameBlocks(commands)
}
