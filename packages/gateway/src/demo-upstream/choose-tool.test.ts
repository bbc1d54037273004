import { describe, expect, test } from 'vitest';
import { chooseTool } from './choose-tool.ts';

const tools = [
  { name: 'Bash', description: 'Runs a command in a shell.' },
  { name: 'read_file', description: 'Reads a file from the disk.' },
  { name: 'getWeather', description: 'Forecasts by city.' },
];

describe('the tool that is chosen', () => {
  test.each([
    ['Read the files, please', 'read_file'],
    ['What is the weather in Oslo?', 'getWeather'],
    ['a forecast for Oslo', 'getWeather'],
    ['execute a command', 'Bash'],
    ['Good morning', 'Bash'],
  ])('for "%s" is %s', (message, name) => {
    expect(chooseTool(message, tools)?.name).toBe(name);
  });

  test('is none where there are none', () => {
    expect(chooseTool('hello', [])).toBeUndefined();
  });
});
