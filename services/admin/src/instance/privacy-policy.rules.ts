/** The default privacy policy, which describes the behaviour of the software. */

/** The default privacy policy as Markdown; `%{domain}` stands for the domain of the server. */
export const DEFAULT_PRIVACY_POLICY = {
  updatedAt: '2026-01-01T00:00:00.000Z',
  text: `# Privacy on %{domain}

This page says what the software behind %{domain} keeps about you and what it does with it. The people who run the
server may have more to say; ask them through the contact given on the about page.

## What is kept

- **Your account**: user name, e-mail address, a digest of your password, and what you write into your profile. Your
  profile is public.
- **What you write**: posts, pictures, lists, filters, and who you follow, block or mute. A post goes to whom you address
  it. Posts for followers or for people you mention are stored here and, when such people are on other servers, there
  too. They are not encrypted from one end to the other: those who run the servers involved could read them. Do not
  share secrets here.
- **Addresses and devices**: the network address from which you sign in and the name of your application, so that you and
  the moderators can notice misuse.

## What it is used for

To run the service: to show your posts to those they are for, to let you follow and talk to others, to keep the place
safe, and to send you the mails you asked for. It is not sold, and there is no advertising.

## Who receives it

Public posts can be read by everybody and are sent to other servers where somebody follows you. Posts for followers are
sent to the servers of your followers, and private mentions to the servers of those you mention. This server cannot make
another server delete a copy, but it asks for it when you delete.

An application that you allow to use your account can see what you allow it to see. It never learns your password or
your e-mail address.

## How long

As long as you have an account. When you delete it, your posts and profile are removed here, and other servers are asked
to do the same. What is needed to deal with misuse may be kept longer.

## Your choices

You can change your profile, approve followers by hand, hide whom you follow, leave search and discovery, and take back
the access of any application.
`,
} as const
