import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_TEMPLATE } from './config-template.ts';
import { configJsonSchema } from './json-schema.ts';

const isValid = new Ajv2020().compile(configJsonSchema());

describe('the JSON Schema of holdfast.yaml', () => {
  test('takes what holdfast init writes, with and without its comment signs', () => {
    const uncommented = CONFIG_TEMPLATE.replace(/^( *)# /gm, '$1');
    expect(isValid(parse(uncommented)), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ upstreams: [{ url: 'http://127.0.0.1:1234/v1' }] })).toBe(true);
  });

  test('takes variables that are not filled in yet', () => {
    const file = {
      listen: { port: '${PORT}' },
      upstreams: [{ name: '${NAME}', url: '${URL}', protocols: ['${P:-chat}'] }],
      proxy: { eager: '${EAGER:-false}' },
      log: { level: '${LEVEL}' },
    };
    expect(isValid(file), JSON.stringify(isValid.errors)).toBe(true);
  });

  test.each([
    [{}],
    [{ upstreams: [{}] }],
    [{ upstreams: [{ url: 'http://a/v1', nam: 'x' }] }],
    [{ upstreams: [{ url: 'http://a/v1' }], log: { level: 'loud' } }],
    [{ upstreams: [{ url: 'http://a/v1' }], listen: { port: 'http' } }],
  ])('refuses %j', (file) => {
    expect(isValid(file)).toBe(false);
  });
});
