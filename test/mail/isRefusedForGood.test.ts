import { expect } from 'chai';
import { isRefusedForGood } from '../../src/mail/createMailTransport.js';

const refusal = (command: string, response: string): Error =>
  Object.assign(new Error(response), { command, response, responseCode: Number(response.slice(0, 3)) });

describe('A mail that a server refused', () => {
  it('is given up only where its recipient or its text was refused permanently', () => {
    for (const [command, response] of [
      ['RCPT TO', '550 5.1.1 No such person'],
      ['DATA', '554 5.6.0 Not acceptable'],
    ] as const)
      expect(isRefusedForGood(refusal(command, response)), response).to.equal(true);
  });

  it('is kept where the operator can mend it, or after a temporary refusal', () => {
    for (const [command, response] of [
      ['AUTH PLAIN', '535 5.7.8 Authentication credentials invalid'],
      ['MAIL FROM', '530 5.7.0 Authentication required'],
      ['CONN', '554 No SMTP service here'],
      ['RCPT TO', '554 5.7.1 Relay access denied'],
      ['RCPT TO', '550 relaying denied'],
      ['DATA', '451 4.3.0 Try later'],
    ] as const)
      expect(isRefusedForGood(refusal(command, response)), response).to.equal(false);
    expect(isRefusedForGood(Object.assign(new Error('lost'), { code: 'ECONNRESET' }))).to.equal(false);
  });
});
