"""What the course imports. The thinking is done in student_agent.cpp."""

from student_agent_cpp import StudentAgent
