/** Titles and explanations of the settings that staff changes: the settings page and docs/reference/settings.md share them. */
import type { ServerSettings } from './policy.js'

export type SettingName = keyof ServerSettings

interface Base {
  readonly title: string
  readonly help: string
}
/** `kind` is the control of the page: one line, several lines, Markdown, a number, a checkbox, a list of codes, or an account. */
export type SettingText =
  | (Base & { readonly kind: 'line' | 'lines' | 'markdown' | 'switch' | 'codes' | 'account' })
  | (Base & { readonly kind: 'number'; readonly unit: string })
  | (Base & { readonly kind: 'choice'; readonly choices: Readonly<Record<string, string>> })

export interface SettingTopic {
  /** Part of the address of its page; empty for the first. */
  readonly path: string
  readonly title: string
  readonly settings: Readonly<Partial<Record<SettingName, SettingText>>>
}

const ACCESS = { public: 'Everyone', authenticated: 'Signed-in accounts', disabled: 'Only staff with access to feeds' }
const AUDIENCE = { disabled: 'Nobody', users: 'Signed-in accounts', all: 'Everyone' }

export const SETTING_TOPICS: readonly SettingTopic[] = [
  {
    path: '',
    title: 'About',
    settings: {
      site_title: {
        kind: 'line',
        title: 'Server name',
        help: 'Shown at the top of each page, in apps and in e-mails.',
      },
      site_short_description: {
        kind: 'lines',
        title: 'Server description',
        help: 'A short text that tells this server from others. Shown in apps, in lists of servers and to search engines.',
      },
      site_extended_description: {
        kind: 'markdown',
        title: 'About page',
        help: 'The long description on the about page, in Markdown.',
      },
      site_terms: {
        kind: 'markdown',
        title: 'Privacy policy',
        help: 'In Markdown; %{domain} becomes the domain of this server. Without a text, a standard policy is shown.',
      },
      site_contact_account: {
        kind: 'account',
        title: 'Contact account',
        help: 'The account that answers questions about this server. It is shown on the about page.',
      },
      site_contact_email: {
        kind: 'line',
        title: 'Contact e-mail address',
        help: 'Public. For questions of visitors, other servers and authorities.',
      },
      status_page_url: {
        kind: 'line',
        title: 'Address of the status page',
        help: 'A page that shows whether this server works. Apps link to it when requests fail.',
      },
      languages: {
        kind: 'codes',
        title: 'Languages of the server',
        help: 'Language codes, the main one first, such as en, de. Apps and lists of servers show them.',
      },
    },
  },
  {
    path: 'registrations',
    title: 'Registrations',
    settings: {
      registrations_mode: {
        kind: 'choice',
        title: 'Who can sign up',
        help: 'With approval, a moderator decides about each sign-up. Invitations work in each mode.',
        choices: { open: 'Anyone', approved: 'Anyone, with approval', none: 'Nobody' },
      },
      closed_registrations_message: {
        kind: 'lines',
        title: 'Message while registrations are closed',
        help: 'Shown instead of the sign-up form.',
      },
      require_invite_text: {
        kind: 'switch',
        title: 'Require a reason for joining',
        help: 'Counts while sign-ups need approval. Otherwise the reason is optional.',
      },
      min_age: {
        kind: 'number',
        unit: 'years',
        title: 'Minimum age',
        help: 'The sign-up form then asks for the date of birth. The date is not stored. Empty: no limit.',
      },
      bootstrap_timeline_accounts: {
        kind: 'line',
        title: 'Accounts suggested to newcomers',
        help: 'Handles separated by commas, such as alice, bob@example.org. They come first in the suggestions.',
      },
    },
  },
  {
    path: 'discovery',
    title: 'Discovery',
    settings: {
      trends: {
        kind: 'switch',
        title: 'Show trends',
        help: 'Hashtags, posts and links that are popular now. Staff approves what may trend.',
      },
      trendable_by_default: {
        kind: 'switch',
        title: 'Trends without review',
        help: 'Shows trends before staff approved them. Only what staff rejected stays out.',
      },
      profile_directory: {
        kind: 'switch',
        title: 'Show the profile directory',
        help: 'Lists accounts that agreed to be found.',
      },
      wrapstodon: {
        kind: 'switch',
        title: 'Offer a summary of the year',
        help: 'In December, account holders may have their year summed up.',
      },
    },
  },
  {
    path: 'access',
    title: 'Public access',
    settings: {
      local_live_feed_access: {
        kind: 'choice',
        title: 'Live feed of this server',
        help: 'Access to all new public posts of this server.',
        choices: ACCESS,
      },
      remote_live_feed_access: {
        kind: 'choice',
        title: 'Live feed of other servers',
        help: 'Access to all new public posts of other servers that are known here.',
        choices: ACCESS,
      },
      local_topic_feed_access: {
        kind: 'choice',
        title: 'Hashtags and links of this server',
        help: 'Access to posts of this server by hashtag or by link.',
        choices: ACCESS,
      },
      remote_topic_feed_access: {
        kind: 'choice',
        title: 'Hashtags and links of other servers',
        help: 'Access to posts of other servers by hashtag or by link.',
        choices: ACCESS,
      },
      show_domain_blocks: {
        kind: 'choice',
        title: 'Show blocked servers',
        help: 'The audience of the list of limited and suspended servers on the about page.',
        choices: AUDIENCE,
      },
      show_domain_blocks_rationale: {
        kind: 'choice',
        title: 'Show why servers are blocked',
        help: 'The audience of the public comments in that list.',
        choices: AUDIENCE,
      },
      activity_api_enabled: {
        kind: 'switch',
        title: 'Publish counts of activity',
        help: 'Weekly counts of posts, active accounts and sign-ups, for statistics of the network.',
      },
      peers_api_enabled: {
        kind: 'switch',
        title: 'Publish known servers',
        help: 'The domains of all servers that this server has met.',
      },
    },
  },
  {
    path: 'posts',
    title: 'Posts and media',
    settings: {
      max_characters: {
        kind: 'number',
        unit: 'characters',
        title: 'Longest post',
        help: 'Longer posts of other servers are still shown in full.',
      },
      media_cache_retention_period: {
        kind: 'number',
        unit: 'days',
        title: 'Keep media of other servers',
        help: 'Older copies are deleted, and fetched again when they are viewed. Empty: they are kept permanently.',
      },
    },
  },
]

/** `registrations_mode` → `Registrations mode`: the name of a setting in refusals of the API. */
export const settingLabel = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
