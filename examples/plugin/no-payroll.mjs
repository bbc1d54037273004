export default ({ folder }, { log }) => ({
  tool_pre_invoke({ name, args }) {
    if (!JSON.stringify(args).includes(folder)) return;
    log.info({ tool: name }, 'a call was stopped');
    return {
      violation: {
        code: 'PAYROLL',
        reason: 'Private folder',
        description: `Files in ${folder} are private. Do not ask for them again.`,
      },
    };
  },
});
