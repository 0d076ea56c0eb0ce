/** Titles and help texts of the settings. Shared by the settings page and docs/reference/settings.md. */
import { type Message, msg } from '@murmuration/messages/message'
import type { ServerSettings } from './policy.js'

export type SettingName = keyof ServerSettings

interface Base {
  readonly title: Message
  readonly help: Message
}
/**
 * Title, help text and control of a setting. `kind` is the control: one line, several lines, Markdown, a number, a
 * checkbox, a list of codes, or an account.
 */
export type SettingText =
  | (Base & { readonly kind: 'line' | 'lines' | 'markdown' | 'switch' | 'codes' | 'account' })
  | (Base & { readonly kind: 'number'; readonly unit: Message })
  | (Base & { readonly kind: 'choice'; readonly choices: Readonly<Record<string, Message>> })

export interface SettingTopic {
  /** Last path segment of the settings page of this group; empty for the first group. */
  readonly path: string
  readonly title: Message
  readonly settings: Readonly<Partial<Record<SettingName, SettingText>>>
}

const ACCESS = {
  public: msg('Everyone'),
  authenticated: msg('Signed-in accounts'),
  disabled: msg('Only staff with access to feeds'),
}
const AUDIENCE = { disabled: msg('Nobody'), users: msg('Signed-in accounts'), all: msg('Everyone') }

export const SETTING_TOPICS: readonly SettingTopic[] = [
  {
    path: '',
    title: msg('About'),
    settings: {
      site_title: {
        kind: 'line',
        title: msg('Server name'),
        help: msg('Shown at the top of each page, in apps and in e-mails.'),
      },
      site_short_description: {
        kind: 'lines',
        title: msg('Server description'),
        help: msg(
          'A short text that tells this server from others. Shown in apps, in lists of servers and to search engines.',
        ),
      },
      site_extended_description: {
        kind: 'markdown',
        title: msg('About page'),
        help: msg('The long description on the about page, in Markdown.'),
      },
      site_terms: {
        kind: 'markdown',
        title: msg('Privacy policy'),
        help: msg(
          "In Markdown; %'{'domain'}' becomes the domain of this server. Without a text, a standard policy is shown.",
        ),
      },
      site_contact_account: {
        kind: 'account',
        title: msg('Contact account'),
        help: msg('The account that answers questions about this server. It is shown on the about page.'),
      },
      site_contact_email: {
        kind: 'line',
        title: msg('Contact e-mail address'),
        help: msg('Public. For questions of visitors, other servers and authorities.'),
      },
      status_page_url: {
        kind: 'line',
        title: msg('Address of the status page'),
        help: msg('A page that shows whether this server works. Apps link to it when requests fail.'),
      },
      languages: {
        kind: 'codes',
        title: msg('Languages of the server'),
        help: msg('Language codes, the main one first, such as en, de. Apps and lists of servers show them.'),
      },
    },
  },
  {
    path: 'registrations',
    title: msg('Registrations'),
    settings: {
      registrations_mode: {
        kind: 'choice',
        title: msg('Who can sign up'),
        help: msg('With approval, a moderator decides about each sign-up. Invitations work in each mode.'),
        choices: { open: msg('Anyone'), approved: msg('Anyone, with approval'), none: msg('Nobody') },
      },
      closed_registrations_message: {
        kind: 'lines',
        title: msg('Message while registrations are closed'),
        help: msg('Shown instead of the sign-up form.'),
      },
      require_invite_text: {
        kind: 'switch',
        title: msg('Require a reason for joining'),
        help: msg('Counts while sign-ups need approval. Otherwise the reason is optional.'),
      },
      min_age: {
        kind: 'number',
        unit: msg('years'),
        title: msg('Minimum age'),
        help: msg('The sign-up form then asks for the date of birth. The date is not stored. Empty: no limit.'),
      },
      bootstrap_timeline_accounts: {
        kind: 'line',
        title: msg('Accounts suggested to newcomers'),
        help: msg('Handles separated by commas, such as alice, bob@example.org. They come first in the suggestions.'),
      },
    },
  },
  {
    path: 'discovery',
    title: msg('Discovery'),
    settings: {
      trends: {
        kind: 'switch',
        title: msg('Show trends'),
        help: msg('Hashtags, posts and links that are popular now. Staff approves what may trend.'),
      },
      trendable_by_default: {
        kind: 'switch',
        title: msg('Trends without review'),
        help: msg('Shows trends before staff approved them. Only what staff rejected stays out.'),
      },
      profile_directory: {
        kind: 'switch',
        title: msg('Show the profile directory'),
        help: msg('Lists accounts that agreed to be found.'),
      },
      wrapstodon: {
        kind: 'switch',
        title: msg('Offer a summary of the year'),
        help: msg('In December, account holders may have their year summed up.'),
      },
    },
  },
  {
    path: 'access',
    title: msg('Public access'),
    settings: {
      local_live_feed_access: {
        kind: 'choice',
        title: msg('Live feed of this server'),
        help: msg('Access to all new public posts of this server.'),
        choices: ACCESS,
      },
      remote_live_feed_access: {
        kind: 'choice',
        title: msg('Live feed of other servers'),
        help: msg('Access to all new public posts of other servers that are known here.'),
        choices: ACCESS,
      },
      local_topic_feed_access: {
        kind: 'choice',
        title: msg('Hashtags and links of this server'),
        help: msg('Access to posts of this server by hashtag or by link.'),
        choices: ACCESS,
      },
      remote_topic_feed_access: {
        kind: 'choice',
        title: msg('Hashtags and links of other servers'),
        help: msg('Access to posts of other servers by hashtag or by link.'),
        choices: ACCESS,
      },
      show_domain_blocks: {
        kind: 'choice',
        title: msg('Show blocked servers'),
        help: msg('The audience of the list of limited and suspended servers on the about page.'),
        choices: AUDIENCE,
      },
      show_domain_blocks_rationale: {
        kind: 'choice',
        title: msg('Show why servers are blocked'),
        help: msg('The audience of the public comments in that list.'),
        choices: AUDIENCE,
      },
      activity_api_enabled: {
        kind: 'switch',
        title: msg('Publish counts of activity'),
        help: msg('Weekly counts of posts, active accounts and sign-ups, for statistics of the network.'),
      },
      peers_api_enabled: {
        kind: 'switch',
        title: msg('Publish known servers'),
        help: msg('The domains of all servers that this server has met.'),
      },
    },
  },
  {
    path: 'posts',
    title: msg('Posts and media'),
    settings: {
      max_characters: {
        kind: 'number',
        unit: msg('characters'),
        title: msg('Longest post'),
        help: msg('Longer posts of other servers are still shown in full.'),
      },
      media_cache_retention_period: {
        kind: 'number',
        unit: msg('days'),
        title: msg('Keep media of other servers'),
        help: msg(
          'Older copies are deleted, and fetched again when they are viewed. Empty: they are kept permanently.',
        ),
      },
    },
  },
]

/** Name of a setting in error texts of the API: `registrations_mode` → `Registrations mode`. */
export const settingLabel = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
