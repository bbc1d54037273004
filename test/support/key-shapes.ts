import { createRandom } from '@holdfast/core/testing';

/** A key in a shape that its issuer gives to all of its keys. */
export interface KeyShape {
  readonly name: string;
  readonly key: string;
}

const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const WORD = `${DIGITS}${UPPER}${UPPER.toLowerCase()}`;

/**
 * Each is `prefix` and a body of characters. They are put together here, and the bodies are random: no key stands in
 * this file, so that scanners for secrets have nothing to find.
 */
const random = createRandom(25);
const of = (length: number, characters: string = WORD): string =>
  Array.from({ length }, () => characters.charAt(Math.floor(random() * characters.length))).join(
    '',
  );
const token = (prefix: string, length = 36, characters: string = WORD): string =>
  prefix + of(length, characters);
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const SHAPES: Readonly<Record<string, string>> = {
  'OpenAI key': token('sk-', 48),
  'OpenAI project key': token('sk-proj-', 64),
  'OpenAI service account key': token('sk-svcacct-', 64),
  'Anthropic key': token('sk-ant-api03-', 93),
  'OpenRouter key': token('sk-or-v1-', 64, HEX),
  'Cerebras key': token('csk-', 48),
  'Groq key': token('gsk_', 52),
  'xAI key': token('xai-', 80),
  'Perplexity key': token('pplx-', 48),
  'Replicate token': token('r8_', 37),
  'Hugging Face token': token('hf_', 34),
  'NVIDIA key': token('nvapi-', 64),
  'Fireworks key': token('fw_', 24),
  'Together key': token('tgp_v1_', 43),
  'Pinecone key': token('pcsk_', 70),
  'LangSmith key': `${token('lsv2_pt_', 32, HEX)}_${of(10, HEX)}`,
  'Tavily key': token('tvly-', 32),
  'Google API key': token('AIza', 35),
  'Google OAuth secret': token('GOCSPX-', 28),
  'Google access token': token('ya29.', 60),
  'AWS access key': token('AKIA', 16, UPPER),
  'AWS temporary key': token('ASIA', 16, UPPER),
  'Azure client secret': `${of(3)}8Q~${of(34)}`,
  'GitHub token': token('ghp_'),
  'GitHub OAuth token': token('gho_'),
  'GitHub user token': token('ghu_'),
  'GitHub server token': token('ghs_'),
  'GitHub refresh token': token('ghr_'),
  'GitHub fine-grained token': `${token('github_pat_', 22)}_${of(59)}`,
  'GitLab token': token('glpat-', 20),
  'GitLab runner token': token('glrt-', 20),
  'npm token': token('npm_'),
  'PyPI token': token('pypi-', 120),
  'RubyGems key': token('rubygems_', 48, HEX),
  'Docker Hub token': token('dckr_pat_', 27),
  'Slack bot token': `xoxb-${of(12, DIGITS)}-${of(24)}`,
  'Slack user token': `xoxp-${of(12, DIGITS)}-${of(32)}`,
  'Slack app token': `xapp-1-A${of(10)}-${of(13, DIGITS)}-${of(64, HEX)}`,
  'Slack webhook': `https://hooks.slack.com/services/T${of(8)}/B${of(8)}/${of(24)}`,
  'Discord bot token': `M${of(25)}.${of(6)}.${of(38)}`,
  'Telegram bot token': `${of(10, DIGITS)}:AA${of(33)}`,
  'Stripe live key': token('sk_live_', 24),
  'Stripe restricted key': token('rk_live_', 24),
  'Stripe webhook secret': token('whsec_', 32),
  'Shopify token': token('shpat_', 32, HEX),
  'SendGrid key': `SG.${of(22)}.${of(43)}`,
  'Twilio key': token('SK', 32, HEX),
  'Mailgun key': token('key-', 32, HEX),
  'DigitalOcean token': token('dop_v1_', 64, HEX),
  'Databricks token': token('dapi', 32, HEX),
  'HashiCorp Vault token': token('hvs.', 90),
  'Terraform Cloud token': `${of(14)}.atlasv1.${of(67)}`,
  'Grafana token': `${token('glsa_', 32)}_${of(8, HEX)}`,
  'New Relic key': token('NRAK-', 27, UPPER),
  'Sentry token': token('sntryu_', 64, HEX),
  'Linear key': token('lin_api_', 40),
  'Notion token': token('ntn_', 46),
  'Figma token': token('figd_', 40),
  'Atlassian token': token('ATATT3xFf', 180),
  'JSON web token': [encoded({ alg: 'HS256' }), encoded({ sub: of(8) }), of(43)].join('.'),
};

/** Sixty shapes of keys, which nothing but their shape gives away. */
export const KEY_SHAPES: readonly KeyShape[] = Object.entries(SHAPES).map(([name, key]) => ({
  name,
  key,
}));
