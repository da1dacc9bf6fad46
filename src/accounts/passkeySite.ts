/** The site for which passkeys are created. */
export function passkeySite({ config }: { config: { baseUrl: string } }): { origin: string; rpID: string } {
  const { origin, hostname } = new URL(config.baseUrl);
  return { origin, rpID: hostname };
}
