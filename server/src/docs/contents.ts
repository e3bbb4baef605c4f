/** A page of the documentation. */
export interface DocsPage {
  /** Its path on this server. */
  path: string
  /** Its Markdown file, from the root of the repository. */
  file: string
}

const introduction = (name: string): DocsPage => ({
  path: `/docs/${name}`,
  file: `docs/introduction/${name}.md`,
})
const guide = (name: string): DocsPage => ({ path: `/docs/guides/${name}`, file: `docs/guides/${name}.md` })
const other = (name: string, file: string): DocsPage => ({ path: `/docs/${name}`, file })

/** The repository, in which the pages are. */
export const root = new URL('../../../', import.meta.url)

/** The pages by section, in the order of the navigation. */
export const contents: readonly { title: string; pages: readonly DocsPage[] }[] = [
  {
    title: 'Introduction',
    pages: [
      introduction('quickstart'),
      introduction('authentication'),
      introduction('errors'),
      introduction('pagination'),
      introduction('field-masks'),
      introduction('masking'),
      introduction('texts-and-numbers'),
      introduction('idempotency'),
      introduction('concurrent-updates'),
      introduction('rate-limits'),
      introduction('versioning'),
    ],
  },
  {
    title: 'Build',
    pages: [
      other('sdk', 'sdk/README.md'),
      guide('build-a-lead-source'),
      guide('sync-contacts'),
      guide('receive-webhooks'),
      guide('test-your-integration'),
      guide('build-an-app'),
      other('changelog', 'CHANGELOG.md'),
    ],
  },
  {
    title: 'Leads and messages',
    pages: [
      guide('route-leads'),
      guide('send-messages'),
      guide('compliance-gates'),
      guide('calls'),
      guide('ai-personas'),
    ],
  },
  {
    title: 'Automate',
    pages: [guide('automations'), guide('campaigns'), guide('saved-searches')],
  },
  {
    title: 'Deals and calendar',
    pages: [
      guide('pipelines-and-commissions'),
      guide('import-listings'),
      guide('documents'),
      guide('connect-a-calendar'),
    ],
  },
  {
    title: 'Operate',
    pages: [
      guide('operate'),
      guide('send-texts-with-twilio'),
      guide('email-with-your-domain'),
      guide('connect-google-and-outlook-calendars'),
      guide('security'),
    ],
  },
]

export const pages: readonly DocsPage[] = contents.flatMap(({ pages: own }) => own)

/** The page that a Markdown file is, if it is one. */
export const pageOf = (file: string): DocsPage | undefined => pages.find((page) => page.file === file)
