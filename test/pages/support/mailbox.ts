/** A mail as `GET /dev/mailbox` shows it. */
export interface MailboxItem {
  id: string;
  to: string;
  subject: string;
  text: string;
  link: string | null;
  code: string | null;
}

/** The mails to an address, newest first. */
export async function mailsTo(baseUrl: string, email: string): Promise<MailboxItem[]> {
  const answer = await fetch(`${baseUrl}/dev/mailbox?to=${encodeURIComponent(email)}`, {
    headers: { accept: 'application/json' },
  });
  const { data } = (await answer.json()) as { data: MailboxItem[] };
  return data;
}

/** The newest mail to an address whose subject has these words; waits for it. */
export async function mailTo(baseUrl: string, email: string, words: string): Promise<MailboxItem> {
  for (;;) {
    const found = (await mailsTo(baseUrl, email)).find(({ subject }) => subject.includes(words));
    if (found !== undefined) return found;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
